package dev.gatehouse.gateway.bearer;

import dev.gatehouse.common.jose.DpopProofs;
import dev.gatehouse.common.jose.DpopProofs.Demands;
import dev.gatehouse.common.jose.DpopProofs.Outcome.NonceWanted;
import dev.gatehouse.common.jose.DpopProofs.Outcome.Proved;
import dev.gatehouse.common.jose.DpopProofs.Outcome.Refused;
import dev.gatehouse.common.realm.GatewayConfig.BearerConfig;
import dev.gatehouse.common.realm.GatewayConfig.Verification;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.gateway.bearer.TokenRefusal.Reason;
import dev.gatehouse.sp.provider.OpenIdProviders;
import dev.gatehouse.sp.provider.ProviderCalls;
import dev.gatehouse.sp.provider.ProviderState;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Verifies the access tokens of API routes, and caches the results: a JWT's until it expires or its issuer's keys
 * change, an introspection response's for as long as the route allows and no longer, so that a revoked token works at
 * most that long. A refusal is cached for at most a second, as protection from floods.
 */
public final class AccessTokens {

  private static final Duration LONGEST_REFUSAL = Duration.ofSeconds(1);

  private static final Object NO_KEYS = new Object();

  private final OpenIdProviders providers;
  private final JwtTokens jwts;
  private final IntrospectedTokens introspected;
  private final DpopProofs proofs;
  private final InstantSource time;

  public AccessTokens(OpenIdProviders providers, ProviderCalls calls, DpopProofs proofs, InstantSource time) {
    this.providers = providers;
    this.jwts = new JwtTokens(providers, time);
    this.introspected = new IntrospectedTokens(providers, calls, time);
    this.proofs = proofs;
    this.time = time;
  }

  /**
   * The cached result of a token that was presented as {@code Bearer}; does not block. Always empty for DPoP, because
   * the proof must be checked each time.
   */
  public Optional<TokenLookup> peek(BearerConfig config, TokenMemory memory, PresentedToken.Token token) {
    return token.bound()
        ? Optional.empty()
        : memory
            .find(token.value(), result -> keysNow(config, result), time.instant())
            .map(result -> asPresented(config, token, result));
  }

  /** Verifies the token and its DPoP proof. Blocks. */
  public TokenLookup verify(
      Realm realm, BearerConfig config, TokenMemory memory, PresentedToken.Token token, DpopRequest request) {
    TokenLookup result = asPresented(config, token, cachedOrVerified(realm, config, memory, token.value()));
    return result instanceof TokenLookup.Valid valid && token.bound() ? checkProof(realm, valid, token, request) : result;
  }

  private TokenLookup cachedOrVerified(Realm realm, BearerConfig config, TokenMemory memory, String token) {
    Optional<TokenLookup> known = memory.find(token, result -> keysNow(config, result), time.instant());
    if (known.isPresent()) {
      return known.get();
    }
    // The cached result counts from before the verification, so that a token or key that is revoked meanwhile is not
    // accepted longer.
    Instant requestedAt = time.instant();
    Map<String, Object> keys = new HashMap<>();
    config.issuers().forEach(issuer -> keys.put(issuer, keys(config, issuer)));
    TokenLookup result =
        switch (config.verification()) {
          case Verification.Jwt jwt -> jwts.verify(realm, config, token);
          case Verification.Introspection introspection -> introspected.verify(realm, config, token);
        };
    Object of = result instanceof TokenLookup.Valid(TokenHolder holder) ? keys.getOrDefault(holder.issuer(), NO_KEYS) : NO_KEYS;
    Instant until = until(config, result, requestedAt);
    if (until.isAfter(requestedAt)) {
      memory.remember(token, result, of, until);
    }
    return result;
  }

  private static Instant until(BearerConfig config, TokenLookup result, Instant requestedAt) {
    return switch (result) {
      case TokenLookup.Valid(TokenHolder holder) ->
          switch (config.verification()) {
            case Verification.Jwt jwt -> holder.expiresAt();
            case Verification.Introspection(Duration cache) -> earlier(holder.expiresAt(), requestedAt.plus(cache));
          };
      case TokenLookup.Refused(TokenRefusal refusal) ->
          switch (config.verification()) {
            case Verification.Jwt jwt -> requestedAt;
            case Verification.Introspection(Duration cache) ->
                requestedAt.plus(cache.compareTo(LONGEST_REFUSAL) < 0 ? cache : LONGEST_REFUSAL);
          };
    };
  }

  private static Instant earlier(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }

  private Object keysNow(BearerConfig config, TokenLookup result) {
    return result instanceof TokenLookup.Valid(TokenHolder holder) ? keys(config, holder.issuer()) : NO_KEYS;
  }

  /** The issuer's keys, compared by identity, if tokens are verified with them. */
  private Object keys(BearerConfig config, String issuer) {
    return config.verification() instanceof Verification.Jwt
            && providers.state(issuer) instanceof ProviderState.Usable known
        ? known.keys()
        : NO_KEYS;
  }

  /**
   * A token bound to a key must be presented with the DPoP scheme, and only such a token may be (RFC 9449, section
   * 7.1).
   */
  private static TokenLookup asPresented(BearerConfig config, PresentedToken.Token token, TokenLookup result) {
    if (!(result instanceof TokenLookup.Valid(TokenHolder holder))) {
      return result;
    }
    if (holder.keyThumbprint().isPresent() != token.bound()) {
      return TokenLookup.refused(Reason.TOKEN_BINDING, "bound to a key and sent as Bearer, or the other way round");
    }
    return config.dpopRequired() && !token.bound()
        ? TokenLookup.refused(Reason.TOKEN_BINDING, "this route takes tokens that are bound to a key")
        : result;
  }

  private TokenLookup checkProof(Realm realm, TokenLookup.Valid valid, PresentedToken.Token token, DpopRequest request) {
    DpopProofs.Request proofRequest =
        new DpopProofs.Request(
            realm.name(), request.method(), request.addresses(), Optional.of(token.value()), demands(realm, valid.holder()));
    return switch (proofs.check(request.proofs(), proofRequest)) {
      case Refused(String problem) -> TokenLookup.refused(Reason.DPOP_PROOF, problem);
      case NonceWanted wanted -> TokenLookup.refused(Reason.DPOP_NONCE, NonceWanted.PROBLEM);
      case Proved(DpopProofs.Proof proof) ->
          valid.holder().keyThumbprint().filter(proof.thumbprint()::equals).isPresent()
              ? valid
              : TokenLookup.refused(Reason.DPOP_PROOF, "it is of another key than the token");
    };
  }

  /**
   * The DPoP requirements of the token's client if it is configured in this realm; other clients' configuration is
   * unknown.
   */
  private static Demands demands(Realm realm, TokenHolder holder) {
    return realm.isOwnIdentityProvider(holder.issuer())
        ? realm.parties().clients().stream()
            .filter(client -> holder.client().filter(client.clientId()::equals).isPresent())
            .findFirst()
            .map(Demands::of)
            .orElse(Demands.NONE)
        : Demands.NONE;
  }

  /** The nonce for the next proof of a client that needs one (RFC 9449, section 9). */
  public String nonce(Realm realm) {
    return proofs.nonces().current(realm.name());
  }

  /**
   * The request that a proof must be for.
   *
   * @param proofs all fields with the name {@code DPoP}
   */
  public record DpopRequest(String method, List<String> addresses, List<String> proofs) {
    public DpopRequest {
      addresses = List.copyOf(addresses);
      proofs = List.copyOf(proofs);
    }
  }
}
