package dev.gatehouse.idp.authn;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * A login of a moment ago, which the account page asks for before a change that its owner must make. It waits for one like a
 * sign-on, under a key of its own: every contract leads back by itself.
 */
public final class RecentLogin implements PendingSignOns {

  private static final String KEY = "account";
  private static final Duration RECENT = Duration.ofMinutes(10);

  private final PendingSignOns others;
  private final BrowserBinding browsers;
  private final InstantSource clock;
  private final String path;

  /** @param others sign-ons of protocols; @param path below {@code /realms/{realm}/}, where the person comes back to */
  public RecentLogin(PendingSignOns others, BrowserBinding browsers, InstantSource clock, String path) {
    this.others = others;
    this.browsers = browsers;
    this.clock = clock;
    this.path = path;
  }

  /** Whether the person passed a first step within the last ten minutes. */
  public boolean isRecent(IdpSession session) {
    Instant since = clock.instant().minus(RECENT);
    return session.passed().stream()
        .anyMatch(event -> !event.contract().isSecondStep() && !event.at().isBefore(since));
  }

  /** To the login page, though there is a session. */
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
