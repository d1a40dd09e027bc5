package dev.gatehouse.idp.authn;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.session.AuthnEvent;
import dev.gatehouse.idp.session.AuthnLevel;
import dev.gatehouse.idp.session.AuthnWanted;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.LoginContract;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * A login of the last ten minutes, which the page of a person's tokens demands before it changes what logins are made with: with a second
 * step, if the person has one. It waits for the login like a sign-on, under keys of its own.
 */
public final class FreshLogin implements PendingSignOns {

  /** The path of the page, below {@code /realms/{realm}/}. */
  public static final String PATH = "account/tokens";

  private static final String KEY = "tokens";
  private static final String STRONG_KEY = "tokens-strong";
  private static final Duration RECENT = Duration.ofMinutes(10);

  private final BrowserBinding browsers;
  private final InstantSource clock;

  public FreshLogin(BrowserBinding browsers, InstantSource clock) {
    this.browsers = browsers;
    this.clock = clock;
  }

  /** @param strong whether a second step, or a token alone, must be part of it */
  public boolean isFresh(IdpSession session, boolean strong) {
    Instant since = clock.instant().minus(RECENT);
    List<AuthnEvent> recent = session.passed().stream().filter(event -> !event.at().isBefore(since)).toList();
    return recent.stream().anyMatch(event -> !event.contract().isSecondStep())
        && (!strong || recent.stream().anyMatch(event -> event.level().reaches(AuthnLevel.TOKEN)));
  }

  /** Redirects to the login page, although there is a session. */
  public EdgeReply ask(RealmRequest request, boolean strong) {
    SessionToken browser = browsers.findOrCreate(request);
    String key = strong ? STRONG_KEY : KEY;
    return browsers.keep(request, browser, EdgeReply.seeOther(LoginEndpoint.address(request, Optional.of(key))));
  }

  @Override
  public Optional<PendingSignOn> find(RealmRequest request, String key) {
    if (!key.equals(KEY) && !key.equals(STRONG_KEY)) {
      return Optional.empty();
    }
    Optional<LoginContract> least = key.equals(STRONG_KEY) ? Optional.of(LoginContract.TOKEN) : Optional.empty();
    AuthnWanted wanted = new AuthnWanted(Optional.empty(), least, Optional.of(clock.instant().minus(RECENT)));
    return browsers
        .find(request)
        .map(
            browser ->
                new PendingSignOn(
                    key,
                    BrowserBinding.hash(browser),
                    request.realm().brand().displayName(),
                    wanted,
                    request.here(PATH),
                    Optional.empty()));
  }
}
