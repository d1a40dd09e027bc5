package dev.gatehouse.gateway.bearer;

import dev.gatehouse.common.realm.GatewayConfig.BearerConfig;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.realm.ProviderConfig.SubjectClaims;
import dev.gatehouse.common.saml.AttributeName;
import dev.gatehouse.gateway.bearer.TokenRefusal.Reason;
import dev.gatehouse.sp.edge.ProviderTrust;
import dev.gatehouse.sp.idtoken.ClaimValues;
import dev.gatehouse.sp.idtoken.UserName;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The rules for the claims of a JWT (RFC 9068, section 2.2) and for the same members of an introspection response (RFC
 * 7662, section 2.2).
 */
final class TokenRules {

  /** The tolerated difference between two clocks. */
  static final Duration CLOCK_SKEW = Duration.ofSeconds(60);

  private TokenRules() {}

  /**
   * The holder, if all rules hold.
   *
   * @param audience must name an API of the route; a token without it could be for any API
   * @param expiresAt if it is known
   */
  static TokenLookup apply(
      Map<String, Object> claims,
      List<String> audience,
      Optional<Instant> expiresAt,
      Optional<Instant> notBefore,
      BearerConfig config,
      ProviderConfig provider,
      ProviderTrust trust,
      Instant now) {
    if (audience.stream().noneMatch(config.audiences()::contains)) {
      return TokenLookup.refused(Reason.TOKEN_AUDIENCE, "aud names no API of this route");
    }
    if (expiresAt.filter(end -> now.isBefore(end.plus(CLOCK_SKEW))).isEmpty()) {
      return TokenLookup.refused(Reason.TOKEN_EXPIRED, "exp is missing or past");
    }
    if (notBefore.filter(begin -> now.plus(CLOCK_SKEW).isBefore(begin)).isPresent()) {
      return TokenLookup.refused(Reason.TOKEN_NOT_YET_VALID, "nbf is in the future");
    }
    if (!(claims.get("sub") instanceof String subject) || subject.isBlank() || subject.chars().anyMatch(Character::isISOControl)) {
      return TokenLookup.refused(Reason.TOKEN_SUBJECT, "sub is missing or no plain text");
    }
    Optional<String> thumbprint = Optional.empty();
    if (claims.containsKey("cnf")) {
      boolean byKey =
          claims.get("cnf") instanceof Map<?, ?> cnf && cnf.size() == 1 && cnf.get("jkt") instanceof String;
      if (!byKey) {
        return TokenLookup.refused(Reason.TOKEN_BINDING, "cnf is no DPoP key");
      }
      thumbprint = Optional.of(String.valueOf(((Map<?, ?>) claims.get("cnf")).get("jkt")));
    }
    SubjectClaims names = provider.claims();
    ClaimValues values = ClaimValues.of(claims).counting(trust, names);
    if (UserName.refusal(values, names.user()).isPresent()) {
      return TokenLookup.refused(Reason.TOKEN_SUBJECT, "no single plain " + names.user());
    }
    return new TokenLookup.Valid(
        new TokenHolder(
            provider.issuer(),
            subject,
            claims.get("client_id") instanceof String client ? Optional.of(client) : Optional.empty(),
            new TokenHolder.Account(
                user(claims, values, provider, subject, trust),
                values.values(names.roles()),
                values.values(names.groups()),
                attributes(values)),
            scopes(claims),
            trust.authnContext(claims.get("acr") instanceof String acr ? Optional.of(acr) : Optional.empty()),
            thumbprint,
            expiresAt.get()));
  }

  /**
   * The person's name: the claim of the provider's configuration, otherwise {@code sub}. A client's own token (RFC
   * 6749, section 4.4) has the client's ID as {@code sub}, which may equal a person's name (RFC 9068, section 5); so it
   * gets a name that no person has.
   */
  private static String user(
      Map<String, Object> claims, ClaimValues values, ProviderConfig provider, String subject, ProviderTrust trust) {
    boolean clientsOwn = subject.equals(claims.get("client_id")) || subject.equals(claims.get("azp"));
    return clientsOwn ? "client:" + subject : UserName.of(values, provider.claims().user(), provider.issuer(), subject, trust);
  }

  private static Map<String, List<String>> attributes(ClaimValues values) {
    Map<String, List<String>> attributes = new LinkedHashMap<>();
    values.byName().forEach((name, texts) -> attributes.putIfAbsent(AttributeName.plain(name), texts));
    return Map.copyOf(attributes);
  }

  /** {@code scope}, separated by spaces (RFC 9068, section 2.2.3) or as a list; some products use {@code scp}. */
  private static Set<String> scopes(Map<String, Object> claims) {
    Set<String> scopes = new HashSet<>();
    for (String name : List.of("scope", "scp")) {
      switch (claims.get(name)) {
        case String text -> scopes.addAll(List.of(text.split(" ")));
        case List<?> several -> several.forEach(scope -> scopes.add(String.valueOf(scope)));
        case null -> {}
        case Object other -> {}
      }
    }
    scopes.remove("");
    return scopes;
  }
}
