package dev.gatehouse.idp.authn;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.session.AuthnContexts;
import dev.gatehouse.idp.session.AuthnEvent;
import dev.gatehouse.idp.session.AuthnLevel;
import dev.gatehouse.idp.session.AuthnWanted;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.LoginContract;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * A login of the last ten minutes, which pages of the account demand before a change that only the owner may make. It waits for a login
 * like a sign-on, under keys of its own, so that every contract leads back.
 */
public final class RecentLogin implements PendingSignOns {

  /** Paths below {@code /realms/{realm}/}. */
  public static final String APPS_PATH = "account/second-factor";

  public static final String PASSKEYS_PATH = "account/passkeys";
  public static final String TOKENS_PATH = "account/tokens";

  /** A page that demands it, and to which the person returns. */
  public enum For {
    APPS("account", APPS_PATH, LoginContract.TOTP),
    PASSKEYS("passkeys", PASSKEYS_PATH, LoginContract.TOTP),
    TOKENS("tokens", TOKENS_PATH, LoginContract.TOKEN);

    private static final String STRONG = "-strong";

    private final String key;
    private final String path;
    private final LoginContract strong;

    For(String key, String path, LoginContract strong) {
      this.key = key;
      this.path = path;
      this.strong = strong;
    }

    private String key(boolean isStrong) {
      return isStrong ? key + STRONG : key;
    }

    private static Optional<For> of(String key) {
      return Arrays.stream(values()).filter(page -> key.equals(page.key(false)) || key.equals(page.key(true))).findFirst();
    }

    private Optional<LoginContract> least(String asked) {
      return asked.equals(key(true)) ? Optional.of(strong) : Optional.empty();
    }
  }

  private static final Duration RECENT = Duration.ofMinutes(10);

  private final PendingSignOns others;
  private final BrowserBinding browsers;
  private final InstantSource clock;

  /** @param others sign-ons of protocols */
  public RecentLogin(PendingSignOns others, BrowserBinding browsers, InstantSource clock) {
    this.others = others;
    this.browsers = browsers;
    this.clock = clock;
  }

  /** Returns whether it was within the last ten minutes. */
  public boolean isRecent(AuthnEvent event) {
    return !event.at().isBefore(clock.instant().minus(RECENT));
  }

  /** Returns whether the person passed a first step within the last ten minutes. */
  public boolean isRecent(IdpSession session) {
    return session.passed().stream().anyMatch(event -> !event.contract().isSecondStep() && isRecent(event));
  }

  /** Returns whether the person passed a first step within the last ten minutes, and reached the level by all steps since. */
  public boolean isRecent(IdpSession session, AuthnLevel least) {
    return isRecent(session) && recentLevels(session).stream().anyMatch(level -> level.reaches(least));
  }

  /** Returns the levels that the person reached within the last ten minutes. */
  public Set<AuthnLevel> recentLevels(IdpSession session) {
    return AuthnContexts.earned(session.passed().stream().filter(this::isRecent).toList());
  }

  /**
   * Redirects to the login page, although there is a session.
   *
   * @param isStrong whether a second step, or a token or passkey alone, must be part of the login
   */
  public EdgeReply ask(RealmRequest request, For page, boolean isStrong) {
    SessionToken browser = browsers.findOrCreate(request);
    String address = LoginEndpoint.address(request, Optional.of(page.key(isStrong)));
    return browsers.keep(request, browser, EdgeReply.seeOther(address));
  }

  @Override
  public Optional<PendingSignOn> find(RealmRequest request, String key) {
    Optional<For> page = For.of(key);
    if (page.isEmpty()) {
      return others.find(request, key);
    }
    AuthnWanted wanted = new AuthnWanted(Optional.empty(), page.get().least(key), Optional.of(clock.instant().minus(RECENT)));
    return browsers
        .find(request)
        .map(
            browser ->
                new PendingSignOn(
                    key,
                    BrowserBinding.hash(browser),
                    request.realm().brand().displayName(),
                    wanted,
                    request.here(page.get().path),
                    Optional.empty()));
  }
}
