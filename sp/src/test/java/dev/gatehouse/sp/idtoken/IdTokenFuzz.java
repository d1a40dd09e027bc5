package dev.gatehouse.sp.idtoken;

import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.common.jose.ReceivedJwt.OwnKey;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.sp.edge.ProviderTrust;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An ID token and a logout token with any claims: refused, or accepted as the rules demand; never a fault. */
public final class IdTokenFuzz {

  private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);
  private static final TokenExpectation EXPECTED =
      new TokenExpectation(
          "https://op.example", "us", "n", Optional.of(AccessTokenHash.of("at")), List.of("strong"), Optional.of(NOW.minusSeconds(60)),
          "preferred_username", NOW);

  private IdTokenFuzz() {}

  /** @param bytes header and claims in clear, separated by a newline */
  public static void fuzzerTestOneInput(byte[] bytes) {
    String[] parts = new String(bytes, StandardCharsets.UTF_8).split("\n", 2);
    if (parts.length < 2) {
      return;
    }
    String text = encode(parts[0]) + "." + encode(parts[1]) + "." + encode("signature");
    if (ReceivedJwt.read(text, OwnKey.REFUSED) instanceof Result.Accepted(ReceivedJwt token)) {
      idToken(token);
      logoutToken(token);
    }
  }

  private static void idToken(ReceivedJwt token) {
    ClaimValues values = ClaimValues.of(token.claims().all());
    boolean kept =
        IdTokenRules.refusal(token, EXPECTED).or(() -> UserName.refusal(values, EXPECTED.userClaim())).isEmpty();
    if (!kept) {
      return;
    }
    String user = UserName.of(
            values,
            EXPECTED.userClaim(),
            EXPECTED.issuer(),
            token.claims().subject().orElseThrow(),
            ProviderTrust.of(true, Map.of()));
    boolean right =
        token.claims().issuer().equals(Optional.of(EXPECTED.issuer()))
            && token.claims().audience().contains(EXPECTED.clientId())
            && token.claims().text("nonce").equals(Optional.of(EXPECTED.nonce()))
            && token.claims().text("acr").equals(Optional.of("strong"))
            && token.claims().issuedAt().isPresent()
            && !user.isBlank()
            && user.chars().noneMatch(Character::isISOControl);
    if (!right) {
      throw new IllegalStateException("believed " + token.claims());
    }
  }

  private static void logoutToken(ReceivedJwt token) {
    if (LogoutTokenRules.refusal(token, "us", NOW).isEmpty()
        && (!token.claims().all().containsKey("events") || token.claims().all().containsKey("nonce"))) {
      throw new IllegalStateException("believed " + token.claims());
    }
  }

  private static String encode(String part) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(part.getBytes(StandardCharsets.UTF_8));
  }

  public static List<byte[]> seeds() {
    String idToken =
        """
        {"alg":"RS256","typ":"JWT","kid":"k"}
        {"iss":"https://op.example","sub":"s","aud":["us"],"azp":"us","exp":1800000300,"iat":1800000000,"nonce":"n","acr":"strong",\
        "auth_time":1800000000,"preferred_username":"alice","realm_access":{"roles":["a"]}}""";
    String logoutToken =
        """
        {"alg":"ES256","typ":"logout+jwt"}
        {"iss":"https://op.example","sub":"s","sid":"x","aud":"us","exp":1800000300,"iat":1800000000,"jti":"j",\
        "events":{"http://schemas.openid.net/event/backchannel-logout":{}}}""";
    return List.of(idToken.getBytes(StandardCharsets.UTF_8), logoutToken.getBytes(StandardCharsets.UTF_8));
  }
}
