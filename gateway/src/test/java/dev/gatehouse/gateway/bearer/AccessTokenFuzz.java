package dev.gatehouse.gateway.bearer;

import dev.gatehouse.common.jose.JwtClaims;
import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.common.jose.ReceivedJwt.OwnKey;
import dev.gatehouse.common.realm.GatewayConfig.BearerConfig;
import dev.gatehouse.common.realm.GatewayConfig.Verification;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.sp.edge.ProviderTrust;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Claims of an access token, whatever they are: refused, or for this API and not over; never a fault. */
public final class AccessTokenFuzz {

  private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);
  private static final BearerConfig CONFIG =
      new BearerConfig(
          List.of("https://op.example"), List.of("https://api.example"), new Verification.Jwt(), List.of(), false, false);
  private static final ProviderConfig PROVIDER =
      new ProviderConfig(
          "https://op.example", Optional.empty(), Optional.empty(), List.of("openid"),
          new ProviderConfig.SubjectClaims("preferred_username", "realm_access.roles", "groups"), false);

  private AccessTokenFuzz() {}

  public static void fuzzerTestOneInput(byte[] bytes) {
    String text = encode("{\"alg\":\"ES256\",\"typ\":\"at+jwt\"}".getBytes(StandardCharsets.UTF_8)) + "." + encode(bytes) + ".AAAA";
    if (!(ReceivedJwt.read(text, OwnKey.REFUSED) instanceof Result.Accepted(ReceivedJwt token))) {
      return;
    }
    JwtClaims claims = token.claims();
    TokenLookup looked =
        TokenRules.apply(
            claims.all(), claims.audience(), claims.expiresAt(), claims.notBefore(), CONFIG, PROVIDER,
            ProviderTrust.of(true, Map.of()), NOW);
    if (looked instanceof TokenLookup.Valid(TokenHolder holder)
        && (!claims.audience().contains("https://api.example")
            || holder.expiresAt().isBefore(NOW.minusSeconds(60))
            || holder.account().user().isBlank()
            || holder.account().user().chars().anyMatch(Character::isISOControl))) {
      throw new IllegalStateException("believed " + claims);
    }
  }

  private static String encode(byte[] part) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(part);
  }

  public static List<byte[]> seeds() {
    String claims =
        """
        {"iss":"https://op.example","sub":"s","aud":["https://api.example"],"exp":1800000300,"client_id":"c","scope":"a b",\
        "scp":["c"],"cnf":{"jkt":"x"},"realm_access":{"roles":["r"]},"groups":["g"],"preferred_username":"alice","acr":"1"}""";
    return List.of(claims.getBytes(StandardCharsets.UTF_8));
  }
}
