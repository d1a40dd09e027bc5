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
 * Looks at the access tokens of API routes. What was found is remembered: a JWT until it expires or its issuer's keys change, an
 * introspection response for as long as the route says and no longer, so that a revoked token works at most that long. That a token does
 * not count is remembered for a second at most, against floods.
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
   * What is remembered of a token that came as {@code Bearer}: for event loops. Nothing of one that came as DPoP, whose proof has to
   * be looked at each time.
   */
  public Optional<TokenLookup> peek(BearerConfig config, TokenMemory memory, PresentedToken.Token token) {
    return token.bound()
        ? Optional.empty()
        : memory
            .find(token.value(), looked -> keysNow(config, looked), time.instant())
            .map(looked -> asPresented(config, token, looked));
  }

  /** Looks at it, and at its proof. Blocks. */
  public TokenLookup look(
      Realm realm, BearerConfig config, TokenMemory memory, PresentedToken.Token token, DpopRequest request) {
    TokenLookup looked = asPresented(config, token, remembered(realm, config, memory, token.value()));
    return looked instanceof TokenLookup.Counts counts && token.bound() ? proved(realm, counts, token, request) : looked;
  }

  private TokenLookup remembered(Realm realm, BearerConfig config, TokenMemory memory, String token) {
    Optional<TokenLookup> known = memory.find(token, looked -> keysNow(config, looked), time.instant());
    if (known.isPresent()) {
      return known.get();
    }
    // What is found counts from before the look: what is revoked or withdrawn in between must not count longer.
    Instant asked = time.instant();
    Map<String, Object> keys = new HashMap<>();
    config.issuers().forEach(issuer -> keys.put(issuer, keys(config, issuer)));
    TokenLookup looked =
        switch (config.verification()) {
          case Verification.Jwt jwt -> jwts.look(realm, config, token);
          case Verification.Introspection introspection -> introspected.look(realm, config, token);
        };
    Object of = looked instanceof TokenLookup.Counts(TokenHolder holder) ? keys.getOrDefault(holder.issuer(), NO_KEYS) : NO_KEYS;
    Instant until = until(config, looked, asked);
    if (until.isAfter(asked)) {
      memory.remember(token, looked, of, until);
    }
    return looked;
  }

  private static Instant until(BearerConfig config, TokenLookup looked, Instant asked) {
    return switch (looked) {
      case TokenLookup.Counts(TokenHolder holder) ->
          switch (config.verification()) {
            case Verification.Jwt jwt -> holder.expiresAt();
            case Verification.Introspection(Duration cache) -> earlier(holder.expiresAt(), asked.plus(cache));
          };
      case TokenLookup.Refused(TokenRefusal refusal) ->
          switch (config.verification()) {
            case Verification.Jwt jwt -> asked;
            case Verification.Introspection(Duration cache) ->
                asked.plus(cache.compareTo(LONGEST_REFUSAL) < 0 ? cache : LONGEST_REFUSAL);
          };
    };
  }

  private static Instant earlier(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }

  private Object keysNow(BearerConfig config, TokenLookup looked) {
    return looked instanceof TokenLookup.Counts(TokenHolder holder) ? keys(config, holder.issuer()) : NO_KEYS;
  }

  /** The issuer's keys by identity, where they are what a token is verified by. */
  private Object keys(BearerConfig config, String issuer) {
    return config.verification() instanceof Verification.Jwt
            && providers.state(issuer) instanceof ProviderState.Usable known
        ? known.keys()
        : NO_KEYS;
  }

  /** A token that is bound to a key came with that scheme, and only such a one did (RFC 9449, section 7.1). */
  private static TokenLookup asPresented(BearerConfig config, PresentedToken.Token token, TokenLookup looked) {
    if (!(looked instanceof TokenLookup.Counts(TokenHolder holder))) {
      return looked;
    }
    if (holder.keyThumbprint().isPresent() != token.bound()) {
      return TokenLookup.refused(Reason.TOKEN_BINDING, "bound to a key and sent as Bearer, or the other way round");
    }
    return config.dpopRequired() && !token.bound()
        ? TokenLookup.refused(Reason.TOKEN_BINDING, "this route takes tokens that are bound to a key")
        : looked;
  }

  private TokenLookup proved(Realm realm, TokenLookup.Counts counts, PresentedToken.Token token, DpopRequest request) {
    DpopProofs.Request asked =
        new DpopProofs.Request(
            realm.name(), request.method(), request.addresses(), Optional.of(token.value()), demands(realm, counts.holder()));
    return switch (proofs.check(request.proofs(), asked)) {
      case Refused(String problem) -> TokenLookup.refused(Reason.DPOP_PROOF, problem);
      case NonceWanted wanted -> TokenLookup.refused(Reason.DPOP_NONCE, NonceWanted.PROBLEM);
      case Proved(String thumbprint) ->
          counts.holder().keyThumbprint().filter(thumbprint::equals).isPresent()
              ? counts
              : TokenLookup.refused(Reason.DPOP_PROOF, "it is of another key than the token");
    };
  }

  /** Of the token's client, where it is one of the realm's own: of others we know no configuration. */
  private static Demands demands(Realm realm, TokenHolder holder) {
    return realm.isOwnIdentityProvider(holder.issuer())
        ? realm.clients().stream()
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

  /** The request that a proof must be for. @param proofs all fields with the name {@code DPoP} */
  public record DpopRequest(String method, List<String> addresses, List<String> proofs) {
    public DpopRequest {
      addresses = List.copyOf(addresses);
      proofs = List.copyOf(proofs);
    }
  }
}
