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
 * Refresh tokens: the authorization's ID, a dot, 32 random bytes and a tag over both. The tag says that the token was ours once:
 * an old one that comes again ends its family, while nobody who merely knows an authorization's ID (it stands in access tokens)
 * can end anything by making tokens up. Stores know a token by its hash alone.
 */
public final class RefreshTokens {

  private static final String CONTEXT = "oauth-refresh";
  private static final int LENGTH = 43 + 1 + 43 + 32;

  /** A token that was ours at some time. @param hash as stores have it */
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

  /** Empty for whatever we never made for that realm. */
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

  /** For the grace, in which it is given once more. */
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
