package dev.gatehouse.idp.authn;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.session.AuthnContexts;
import dev.gatehouse.idp.session.AuthnLevel;
import dev.gatehouse.idp.session.AuthnWanted;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.LoginContract;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;

/**
 * A recent login, which the account page demands before a change that only the owner may make. It waits for a login
 * like a sign-on, under a key of its own, so that every contract leads back.
 */
public final class RecentLogin implements PendingSignOns {

  /** The path of the page for passkeys below {@code /realms/{realm}/}. */
  public static final String PASSKEYS_PATH = "account/passkeys";

  private static final String KEY = "account";
  private static final String STRONG_KEY = "account-strong";
  private static final String PASSKEYS = "passkeys";
  private static final String STRONG = "passkeys-strong";
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

  /** Returns the levels that the person reached within the last ten minutes. */
  public Set<AuthnLevel> recentLevels(IdpSession session) {
    Instant since = clock.instant().minus(RECENT);
    return AuthnContexts.earned(session.passed().stream().filter(event -> !event.at().isBefore(since)).toList());
  }

  /** Redirects to the login page, although there is a session. */
  public EdgeReply ask(RealmRequest request) {
    return ask(request, KEY);
  }

  /** Like {@link #ask(RealmRequest)}, for a login with a second factor. */
  public EdgeReply askStrong(RealmRequest request) {
    return ask(request, STRONG_KEY);
  }

  /**
   * Redirects to the login page, from which the person returns to the passkeys.
   *
   * @param strong whether a second factor is needed
   */
  public EdgeReply askForPasskeys(RealmRequest request, boolean strong) {
    return ask(request, strong ? STRONG : PASSKEYS);
  }

  private EdgeReply ask(RealmRequest request, String key) {
    SessionToken browser = browsers.findOrCreate(request);
    return browsers.keep(request, browser, EdgeReply.seeOther(LoginEndpoint.address(request, Optional.of(key))));
  }

  @Override
  public Optional<PendingSignOn> find(RealmRequest request, String key) {
    if (!Set.of(KEY, STRONG_KEY, PASSKEYS, STRONG).contains(key)) {
      return others.find(request, key);
    }
    return browsers
        .find(request)
        .map(
            browser ->
                new PendingSignOn(
                    key,
                    BrowserBinding.hash(browser),
                    request.realm().brand().displayName(),
                    new AuthnWanted(
                        Optional.empty(),
                        Set.of(STRONG_KEY, STRONG).contains(key) ? Optional.of(LoginContract.TOTP) : Optional.empty(),
                        Optional.of(clock.instant().minus(RECENT))),
                    request.here(Set.of(KEY, STRONG_KEY).contains(key) ? path : PASSKEYS_PATH),
                    Optional.empty()));
  }
}
