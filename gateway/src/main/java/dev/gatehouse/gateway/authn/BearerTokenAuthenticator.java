package dev.gatehouse.gateway.authn;

import dev.gatehouse.common.codec.JsonText;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.gateway.accesslog.AccessEntry;
import dev.gatehouse.gateway.bearer.AccessTokens;
import dev.gatehouse.gateway.bearer.PresentedToken;
import dev.gatehouse.gateway.bearer.TokenHolder;
import dev.gatehouse.gateway.bearer.TokenLookup;
import dev.gatehouse.gateway.bearer.TokenRefusal;
import dev.gatehouse.gateway.effect.DecisionRecorder;
import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.policy.AuthnRequirement;
import dev.gatehouse.gateway.policy.Decision;
import dev.gatehouse.gateway.policy.Reason;
import dev.gatehouse.gateway.policy.RequestAttributes;
import dev.gatehouse.gateway.policy.Subject;
import dev.gatehouse.gateway.policy.TokenRule;
import dev.gatehouse.gateway.refusal.Refusal;
import dev.gatehouse.gateway.refusal.Refusals;
import dev.gatehouse.gateway.route.AddressedHost;
import java.util.List;
import java.util.Optional;

/**
 * Authenticates a request to a route that takes access tokens. Tokens with a cached result are decided on the event
 * loop; everything else (signatures, introspection, DPoP proofs, whose replay marks are stored) runs on a virtual
 * thread.
 */
public final class BearerTokenAuthenticator {

  private final AccessTokens tokens;
  private final AddressedHost to;
  private final Realm realm;
  private final String route;
  private final RequestAttributes attributes;
  private final TokenRule rule;
  private final AccessEntry entry;
  private final DecisionRecorder decisions;

  /**
   * @param entry learns the token's holder
   * @param decisions learns the decision
   */
  public BearerTokenAuthenticator(
      AccessTokens tokens, AddressedHost to, TokenRule rule, RequestAttributes attributes, AccessEntry entry,
      DecisionRecorder decisions) {
    this.tokens = tokens;
    this.to = to;
    this.realm = to.site().realm();
    this.route = rule.trace().route();
    this.attributes = attributes;
    this.rule = rule;
    this.entry = entry;
    this.decisions = decisions;
  }

  public AuthnResult enter(RequestHead head) {
    return switch (PresentedToken.of(head.fields())) {
      case PresentedToken.Nothing nothing ->
          new AuthnResult.Challenged(
              EdgeReply.json(401, new JsonText().text("error", "token-required"))
                  .with("WWW-Authenticate", TokenChallenge.missing(realm, rule.config())));
      case PresentedToken.Unreadable unreadable ->
          looked(false, TokenLookup.refused(TokenRefusal.Reason.TOKEN_MALFORMED, "Authorization"));
      case PresentedToken.Token token -> {
        Optional<TokenLookup> remembered = tokens.peek(rule.config(), rule.memory(), token);
        if (remembered.isPresent()) {
          yield looked(token.bound(), remembered.get());
        }
        AccessTokens.DpopRequest asked = dpopRequest(head);
        yield new AuthnResult.Blocked<>(
            () -> tokens.verify(realm, rule.config(), rule.memory(), token, asked),
            found -> looked(token.bound(), found));
      }
    };
  }

  /** The proof may name the URI as the client wrote it, or its normalised form. */
  private AccessTokens.DpopRequest dpopRequest(RequestHead head) {
    String written = Ascii.string(head.fields().bytes(), head.pathStart(), head.pathEnd());
    return new AccessTokens.DpopRequest(
        head.method(), List.of(to.origin() + written, to.origin() + attributes.path()), head.fields().all(FieldName.DPOP));
  }

  /** @param bound whether the token was presented with the DPoP scheme */
  private AuthnResult looked(boolean bound, TokenLookup looked) {
    return switch (looked) {
      case TokenLookup.Refused(TokenRefusal refused) -> {
        Refusal refusal = Refusal.of(refused, route);
        Refusal challenging =
            TokenChallenge.of(realm, rule.config(), bound, refused).map(refusal::challenging).orElse(refusal);
        boolean nonce = refused.reason() == TokenRefusal.Reason.DPOP_NONCE;
        yield new AuthnResult.Refused(
            nonce ? challenging.with("DPoP-Nonce", tokens.nonce(realm)) : challenging, Refusals.NOBODY);
      }
      case TokenLookup.Valid(TokenHolder holder) -> {
        entry.user(holder.person());
        Decision decision = rule.decide(new Subject.Holder(holder), attributes);
        decisions.holder(holder, to, route, attributes, decision instanceof Decision.Permit);
        yield switch (decision) {
          case Decision.Permit permit -> new AuthnResult.Decided(permit, holder.person(), List.of());
          case Decision.Deny deny -> {
            Reason reason = deny.reasons().iterator().next();
            Refusal refusal = Refusal.of(reason, route);
            yield new AuthnResult.Refused(
                TokenChallenge.of(realm, rule, bound, reason).map(refusal::challenging).orElse(refusal),
                holder.person());
          }
          case Decision.Challenge(AuthnRequirement.StepUp(var acr), var trace) ->
              new AuthnResult.Refused(
                  Refusal.of(Reason.AUTHENTICATION_TOO_WEAK, route)
                      .challenging(TokenChallenge.tooWeak(realm, rule, bound, acr)),
                  holder.person());
          case Decision.Challenge challenge -> throw new IllegalStateException("no token leads to a login page");
        };
      }
    };
  }
}
