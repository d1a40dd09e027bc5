package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.jose.DpopProofs.Proof;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.OAuthReplies;
import dev.gatehouse.idp.oauth.client.AuthenticatedClient;
import dev.gatehouse.idp.oauth.client.ClientAuthentications;
import dev.gatehouse.idp.oauth.proof.DpopProofCheck;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The token endpoint (RFC 6749, section 3.2). It performs the steps that all grants share: authenticate the client,
 * check the proof of its key, and check whether it may use the grant. {@link TokenIssue} issues the tokens for the
 * grant's result.
 */
final class TokenEndpoint implements Endpoint {

  static final String PATH = "oauth/token";

  private final AuthenticatedForm forms;
  private final DpopProofCheck proofs;
  private final Map<String, Grant> grants;
  private final TokenIssue issue;
  private final OAuthReplies replies;

  TokenEndpoint(
      ClientAuthentications authentications,
      DpopProofCheck proofs,
      List<Grant> grants,
      TokenIssue issue,
      OAuthReplies replies) {
    this.forms = new AuthenticatedForm(authentications, replies);
    this.proofs = proofs;
    this.grants = grants.stream().collect(Collectors.toUnmodifiableMap(Grant::name, Function.identity()));
    this.issue = issue;
    this.replies = replies;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    return forms.read(request, (client, form) -> handle(request, client, form));
  }

  private EdgeReply handle(RealmRequest request, AuthenticatedClient client, TokenForm form) {
    Result<EdgeReply, OAuthError> answer = form.required("grant_type").then(name -> handle(request, client, form, name));
    return switch (answer) {
      case Result.Accepted(EdgeReply reply) -> proofs.offering(request, client.client(), reply);
      case Result.Refused(var error) -> replies.refused(request, client.client().id(), error);
    };
  }

  private Result<EdgeReply, OAuthError> handle(RealmRequest request, AuthenticatedClient client, TokenForm form, String name) {
    Grant grant = grants.get(name);
    if (grant == null) {
      return OAuthError.refused(Code.UNSUPPORTED_GRANT_TYPE, "There is no such grant_type here");
    }
    if (grant.uses().stream().noneMatch(client.client()::may)) {
      return OAuthError.refused(Code.UNAUTHORIZED_CLIENT, "The client may not use this grant_type");
    }
    return proofs
        .verify(request, client.client(), PATH, Optional.empty())
        .then(
            proof ->
                BindingCheck.check(client, proof.map(DpopProofCheck::key))
                    .then(confirmation -> answer(grant, new TokenRequest(request, client, form, confirmation), proof)));
  }

  /**
   * The proof is marked as used after the grant and before anything is issued: whoever invents a code and a key has no grant,
   * and leaves no mark. With a proof that was used before, the grant is used up all the same, as with any other error.
   */
  private Result<EdgeReply, OAuthError> answer(Grant grant, TokenRequest request, Optional<Proof> proof) {
    return grant
        .grant(request)
        .then(granted -> proofs.use(proof).then(used -> issue.issue(request, grant, granted)));
  }
}
