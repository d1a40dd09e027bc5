package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Refresh tokens: the authorization's ID, a dot, 32 random bytes and a tag over both. The tag proves that we issued the
 * token: an old token that is presented again ends its family, but an attacker who only knows an authorization's ID
 * (access tokens contain it) cannot end anything with an invented token. The store contains only a token's hash.
 */
public final class RefreshTokens {

  private static final String CONTEXT = "oauth-refresh";
  private static final int LENGTH = 43 + 1 + 43 + 32;

  /**
   * A token that we issued at some time.
   *
   * @param hash the stored form
   */
  record Genuine(SessionId authorization, String token, String hash) {
    @Override
    public String toString() {
      return "Genuine[" + authorization + "]";
    }
  }

  private final SealingKey sealing;
  private final RandomGenerator random;

  public RefreshTokens(SealingKey sealing, RandomGenerator random) {
    this.sealing = sealing;
    this.random = random;
  }

  String create(String realm, SessionId authorization) {
    String token = authorization.value() + "." + SessionToken.create(random).value();
    return token + tag(realm, token);
  }

  /** Reads a token; empty if we never created it for this realm. */
  Optional<Genuine> read(String realm, String token) {
    if (token.length() != LENGTH || token.charAt(43) != '.') {
      return Optional.empty();
    }
    int tagged = LENGTH - 32;
    byte[] expected = tag(realm, token.substring(0, tagged)).getBytes(StandardCharsets.US_ASCII);
    return MessageDigest.isEqual(expected, token.substring(tagged).getBytes(StandardCharsets.UTF_8))
        ? SessionToken.parse(token.substring(0, 43))
            .map(id -> new Genuine(new SessionId(id.value()), token, hash(token)))
        : Optional.empty();
  }

  static String hash(String token) {
    return new SessionToken(token).id().value();
  }

  /** Seals the token for the grace period, in which it may be returned once more. */
  String seal(String realm, SessionId authorization, String token) {
    byte[] sealed =
        sealing.seal(token.getBytes(StandardCharsets.US_ASCII), CONTEXT, realm, authorization.value());
    return Base64.getEncoder().withoutPadding().encodeToString(sealed);
  }

  String open(String realm, SessionId authorization, String sealed) {
    return new String(
        sealing.open(Base64.getDecoder().decode(sealed), CONTEXT, realm, authorization.value()),
        StandardCharsets.US_ASCII);
  }

  private String tag(String realm, String token) {
    return sealing.digest(token, CONTEXT, realm).substring(0, 32);
  }
}
