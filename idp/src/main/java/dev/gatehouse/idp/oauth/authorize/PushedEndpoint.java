package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.codec.JsonText;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.jose.DpopProofs.Proof;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.OAuthReplies;
import dev.gatehouse.idp.oauth.authorize.AuthorizationRequests.Read;
import dev.gatehouse.idp.oauth.authorize.PushedRequests.Place;
import dev.gatehouse.idp.oauth.client.AuthenticatedClient;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.client.ClientAuthentications;
import dev.gatehouse.idp.oauth.client.Cors;
import dev.gatehouse.idp.oauth.proof.DpopProofCheck;
import dev.gatehouse.idp.oauth.proof.RequestObjects;
import java.time.Duration;
import java.util.Optional;

/**
 * Pushed authorization requests (RFC 9126): the client authenticates and sends its request here; the browser brings
 * only a reference. The whole request is checked at once, so that errors are reported to the client and not to a
 * person.
 */
final class PushedEndpoint implements Endpoint {

  /**
   * A request without mistakes.
   *
   * @param parameters as they are stored
   * @param proof that came with them, not yet used
   */
  private record Checked(RequestParameters parameters, Optional<Proof> proof) {}

  private final ClientAuthentications authentications;
  private final RequestObjects objects;
  private final DpopProofCheck proofs;
  private final AuthorizationRequests requests;
  private final PushedRequests pushed;
  private final OAuthReplies replies;

  PushedEndpoint(
      ClientAuthentications authentications,
      RequestObjects objects,
      DpopProofCheck proofs,
      AuthorizationRequests requests,
      PushedRequests pushed,
      OAuthReplies replies) {
    this.authentications = authentications;
    this.objects = objects;
    this.proofs = proofs;
    this.requests = requests;
    this.pushed = pushed;
    this.replies = replies;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    Parameters form = request.http().formParameters();
    return switch (authentications.authenticate(request, form)) {
      case Result.Refused(var error) ->
          replies.refused(request, form.one("client_id").orElse("-"), error);
      case Result.Accepted(var proved) ->
          Cors.readable(request, proved.client(), push(request, proved, form));
    };
  }

  private EdgeReply push(RealmRequest request, AuthenticatedClient proved, Parameters form) {
    Client client = proved.client();
    return switch (read(request, client, form).then(parameters -> bound(request, client, parameters))) {
      case Result.Refused(var error) -> replies.refused(request, client.id(), error);
      case Result.Accepted(var checked) ->
          switch (pushed.reserve(request, proved, checked.parameters())) {
            case Place.Full(Duration retryAfter) ->
                replies.tooMany(request, client.id(), "too many pushed requests wait; try again later", retryAfter);
            case Place.Reserved place -> keep(request, client, checked.proof(), place);
          };
    };
  }

  private Result<RequestParameters, OAuthError> read(RealmRequest request, Client client, Parameters form) {
    if (form.one("request_uri").isPresent()) {
      return OAuthError.refused(Code.INVALID_REQUEST, "request_uri is not for this endpoint");
    }
    return objects
        .parameters(request, client, form)
        .then(sent -> checked(request, client, RequestParameters.of(sent)));
  }

  private Result<RequestParameters, OAuthError> checked(RealmRequest request, Client client, RequestParameters parameters) {
    if (parameters.isTooLong()) {
      return OAuthError.refused(Code.INVALID_REQUEST, "the request is too long");
    }
    return switch (requests.read(request, client, parameters)) {
      case Read.Unanswerable(var reason, OAuthError error) -> new Result.Refused<>(error);
      case Read.Refused(var reply, OAuthError error) -> new Result.Refused<>(error);
      case Read.Accepted accepted -> Result.accepted(parameters);
    };
  }

  /** RFC 9449, section 10.1: a proof binds the code as {@code dpop_jkt} does. */
  private Result<Checked, OAuthError> bound(RealmRequest request, Client client, RequestParameters parameters) {
    return proofs
        .verify(request, client, AuthorizeConfig.PUSHED, Optional.empty())
        .then(
            proof -> {
              Optional<String> proved = proof.map(Proof::thumbprint);
              Optional<String> named = parameters.one("dpop_jkt");
              if (proved.isPresent() && named.isPresent() && !named.equals(proved)) {
                return OAuthError.refused(Code.INVALID_DPOP_PROOF, "dpop_jkt is not the key of the proof");
              }
              RequestParameters all = proved.map(thumbprint -> parameters.with("dpop_jkt", thumbprint)).orElse(parameters);
              return Result.accepted(new Checked(all, proof));
            });
  }

  /** The proof is used last: that writes a mark, and without a reserved place no mark may be written. */
  private EdgeReply keep(RealmRequest request, Client client, Optional<Proof> proof, Place.Reserved place) {
    return switch (proofs.use(proof)) {
      case Result.Refused(var error) -> {
        pushed.giveBack(place);
        yield replies.refused(request, client.id(), error);
      }
      case Result.Accepted(var used) -> proofs.offering(request, client, created(request, pushed.put(place)));
    };
  }

  /** The reply of RFC 9126, section 2.2. */
  private static EdgeReply created(RealmRequest request, String reference) {
    return OAuthReplies.json(
        201,
        new JsonText()
            .text("request_uri", reference)
            .number("expires_in", request.idp().oauth().pushedLife().toSeconds())
            .toBytes());
  }
}
