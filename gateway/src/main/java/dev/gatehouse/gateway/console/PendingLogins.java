package dev.gatehouse.gateway.console;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.ValueCodec;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The logins of people that have begun. The browser carries its own, sealed, in a cookie that comes along from the identity provider
 * (SameSite=Lax), so that nothing is stored for strangers, and a response counts only in the browser that sent the request.
 */
final class PendingLogins {

  static final String COOKIE = "gh_admin_login";
  static final Duration LIFE = Duration.ofMinutes(10);

  private static final String USE = "console-login";
  private static final ValueCodec<PendingLogin> CODEC = new JsonCodec<>(PendingLogin.class);

  private final SealingKey sealing;
  private final InstantSource time;
  private final RandomGenerator random;

  /** @param random a SecureRandom outside tests */
  PendingLogins(SealingKey sealing, InstantSource time, RandomGenerator random) {
    this.sealing = sealing;
    this.time = time;
    this.random = random;
  }

  /**
   * Creates a login with new secrets.
   *
   * @param page where it leads to
   */
  PendingLogin create(String page, boolean again, Optional<SessionToken> replaced, Optional<PendingLogin.SetUpClaim> setUp) {
    return new PendingLogin(
        secret(), secret(), secret(), time.instant(), page, again, replaced.map(token -> token.id().value()), setUp);
  }

  private String secret() {
    return SessionToken.create(random).value();
  }

  /** Gives the login to the browser, in place of one that it began before. */
  EdgeReply keep(EdgeReply reply, PendingLogin login, boolean secure) {
    return reply.with("Set-Cookie", cookie(sealed(login), secure) + "; Max-Age=" + LIFE.toSeconds());
  }

  /** Returns the value of the cookie. */
  String sealed(PendingLogin login) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(sealing.seal(CODEC.encode(login), USE));
  }

  EdgeReply forget(EdgeReply reply, boolean secure) {
    return reply.with("Set-Cookie", cookie("", secure) + "; Max-Age=0");
  }

  /** Returns the login that this browser began with that state within ten minutes. */
  Optional<PendingLogin> find(EdgeRequest request, String state) {
    return request
        .cookie(COOKIE)
        .flatMap(this::open)
        .filter(login -> MessageDigest.isEqual(utf8(login.state()), utf8(state)))
        .filter(login -> time.instant().isBefore(login.createdAt().plus(LIFE)));
  }

  Optional<PendingLogin> open(String sealed) {
    try {
      return Optional.of(CODEC.decode(sealing.open(Base64.getUrlDecoder().decode(sealed), USE)));
    } catch (IllegalArgumentException | IllegalStateException e) {
      // Sealed by a key that was replaced since, or by nobody.
      return Optional.empty();
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String cookie(String value, boolean secure) {
    return COOKIE + "=" + value + "; Path=" + Address.LOGIN + "; HttpOnly; SameSite=Lax" + (secure ? "; Secure" : "");
  }
}
