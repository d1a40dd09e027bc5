package dev.gatehouse.idp.authn;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.session.AuthnWanted;
import dev.gatehouse.idp.session.IdpSession;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * A recent login, which the account page demands before a change that only the owner may make. It waits for a login
 * like a sign-on, under a key of its own, so that every contract leads back.
 */
public final class RecentLogin implements PendingSignOns {

  private static final String KEY = "account";
  private static final Duration RECENT = Duration.ofMinutes(10);

  private final PendingSignOns others;
  private final BrowserBinding browsers;
  private final InstantSource clock;
  private final String path;

  /**
   * @param others sign-ons of protocols
   * @param path to which the person returns, below {@code /realms/{realm}/}
   */
  public RecentLogin(PendingSignOns others, BrowserBinding browsers, InstantSource clock, String path) {
    this.others = others;
    this.browsers = browsers;
    this.clock = clock;
    this.path = path;
  }

  /** Returns whether the person passed a first step within the last ten minutes. */
  public boolean isRecent(IdpSession session) {
    Instant since = clock.instant().minus(RECENT);
    return session.passed().stream()
        .anyMatch(event -> !event.contract().isSecondStep() && !event.at().isBefore(since));
  }

  /** Redirects to the login page, although there is a session. */
  public EdgeReply ask(RealmRequest request) {
    SessionToken browser = browsers.findOrCreate(request);
    return browsers.keep(
        request, browser, EdgeReply.seeOther(LoginEndpoint.address(request, Optional.of(KEY))));
  }

  @Override
  public Optional<PendingSignOn> find(RealmRequest request, String key) {
    if (!key.equals(KEY)) {
      return others.find(request, key);
    }
    return browsers
        .find(request)
        .map(
            browser ->
                new PendingSignOn(
                    KEY,
                    BrowserBinding.hash(browser),
                    request.realm().brand().displayName(),
                    new AuthnWanted(Optional.empty(), Optional.empty(), Optional.of(clock.instant().minus(RECENT))),
                    request.here(path),
                    Optional.empty()));
  }
}
