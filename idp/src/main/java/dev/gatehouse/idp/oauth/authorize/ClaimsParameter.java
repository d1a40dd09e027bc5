package dev.gatehouse.idp.oauth.authorize;

import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.openid.connect.sdk.OIDCClaimsRequest;
import com.nimbusds.openid.connect.sdk.claims.ClaimRequirement;
import com.nimbusds.openid.connect.sdk.claims.ClaimsSetRequest;
import dev.gatehouse.idp.oauth.Outcome;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The parameter {@code claims} (OpenID Connect Core 5.5).
 *
 * @param json as it was sent
 * @param names of claims about the person, asked for in the ID token or at the UserInfo endpoint
 * @param acr values of the claim {@code acr}, in order; empty where it is not asked for
 * @param acrEssential whether nothing but one of these will do
 * @param subject the only person that will do
 */
record ClaimsParameter(
    String json, Set<String> names, List<String> acr, boolean acrEssential, Optional<String> subject) {

  private static final int LONGEST = 8_192;
  private static final int DEEPEST = 8;

  /** About the login and not the person. */
  private static final Set<String> OF_THE_LOGIN = Set.of("acr", "auth_time", "amr", "sub", "nonce");

  static Outcome<ClaimsParameter> parse(String json) {
    if (json.length() > LONGEST || depth(json) > DEEPEST) {
      return Outcome.refused(Code.INVALID_REQUEST, "claims is too large");
    }
    try {
      return Outcome.passed(of(json, OIDCClaimsRequest.parse(json)));
    } catch (ParseException | RuntimeException e) {
      // The parser of the library says some of what it dislikes by unchecked exceptions.
      return Outcome.refused(Code.INVALID_REQUEST, "claims cannot be read");
    }
  }

  private static ClaimsParameter of(String json, OIDCClaimsRequest request) {
    Set<String> names = new TreeSet<>();
    Optional<ClaimsSetRequest> idToken = Optional.ofNullable(request.getIDTokenClaimsRequest());
    idToken.ifPresent(claims -> add(names, claims));
    Optional.ofNullable(request.getUserInfoClaimsRequest()).ifPresent(claims -> add(names, claims));
    Optional<ClaimsSetRequest.Entry> acr = idToken.flatMap(claims -> Optional.ofNullable(claims.get("acr")));
    Optional<String> subject =
        idToken.flatMap(claims -> Optional.ofNullable(claims.get("sub"))).flatMap(ClaimsParameter::value);
    return new ClaimsParameter(
        json,
        names,
        acr.map(ClaimsParameter::values).orElse(List.of()),
        acr.filter(entry -> entry.getClaimRequirement() == ClaimRequirement.ESSENTIAL).isPresent(),
        subject);
  }

  private static void add(Set<String> names, ClaimsSetRequest claims) {
    claims.getEntries().stream()
        .map(ClaimsSetRequest.Entry::getClaimName)
        .filter(name -> !OF_THE_LOGIN.contains(name))
        .forEach(names::add);
  }

  private static List<String> values(ClaimsSetRequest.Entry entry) {
    List<String> several = entry.getValuesAsListOfStrings();
    return several != null ? List.copyOf(several) : value(entry).stream().toList();
  }

  private static Optional<String> value(ClaimsSetRequest.Entry entry) {
    return Optional.ofNullable(entry.getValueAsString());
  }

  private static int depth(String json) {
    int depth = 0;
    int deepest = 0;
    for (int i = 0; i < json.length(); i++) {
      switch (json.charAt(i)) {
        case '{', '[' -> deepest = Math.max(deepest, ++depth);
        case '}', ']' -> depth--;
        default -> {}
      }
    }
    return deepest;
  }
}
