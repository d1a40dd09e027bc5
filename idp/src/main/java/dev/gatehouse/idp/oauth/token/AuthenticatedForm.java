package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.client.Cors;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthReplies;
import dev.gatehouse.idp.oauth.client.AuthenticatedClient;
import dev.gatehouse.idp.oauth.client.ClientAuthentications;

/**
 * The first steps of the token and the revocation endpoint: read the form, authenticate the client (RFC 6749, section
 * 2.3), and let the client's own pages read the answer (CORS).
 */
final class AuthenticatedForm {

  /** The next step of the endpoint. */
  @FunctionalInterface
  interface Next {
    EdgeReply answer(AuthenticatedClient client, TokenForm form);
  }

  private final ClientAuthentications authentications;
  private final OAuthReplies replies;

  AuthenticatedForm(ClientAuthentications authentications, OAuthReplies replies) {
    this.authentications = authentications;
    this.replies = replies;
  }

  EdgeReply read(RealmRequest request, Next next) {
    return switch (TokenForm.read(request)) {
      case Result.Refused(var error) -> replies.refused(request, "-", error);
      case Result.Accepted(TokenForm form) -> prove(request, form, next);
    };
  }

  private EdgeReply prove(RealmRequest request, TokenForm form, Next next) {
    return switch (authentications.authenticate(request, form.parameters())) {
      case Result.Refused(var error) ->
          replies.refused(request, form.value("client_id").orElse("-"), error);
      case Result.Accepted(AuthenticatedClient client) ->
          Cors.readable(request, client.client(), next.answer(client, form));
    };
  }
}
