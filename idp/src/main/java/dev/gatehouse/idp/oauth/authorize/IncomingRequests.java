package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.authorize.AuthorizationRequests.Read;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.client.Clients;
import dev.gatehouse.idp.oauth.proof.RequestObjects;
import java.util.Optional;

/**
 * Determines the client of an incoming request and the source of its parameters: the address or form itself, a signed
 * object (RFC 9101), or a pushed request (RFC 9126). In the latter two cases, the other parameters that the browser
 * brings are ignored.
 */
final class IncomingRequests {

  /** The result of reading. */
  sealed interface Incoming {
    /**
     * The error can only be shown to the person.
     *
     * @param clientId if known, else {@code -}
     */
    record Unanswerable(String clientId, String reason, OAuthError error) implements Incoming {}

    record Refused(String clientId, ResponseTarget reply, OAuthError error) implements Incoming {}

    record Accepted(AuthorizationRequest asked, Client client) implements Incoming {}
  }

  private final Clients clients;
  private final RequestObjects objects;
  private final PushedRequests pushed;
  private final AuthorizationRequests requests;

  IncomingRequests(
      Clients clients, RequestObjects objects, PushedRequests pushed, AuthorizationRequests requests) {
    this.clients = clients;
    this.objects = objects;
    this.pushed = pushed;
    this.requests = requests;
  }

  Incoming read(RealmRequest request, Parameters raw) {
    RequestParameters sent = RequestParameters.of(raw);
    if (sent.isTooLong()) {
      return unanswerable("-", "TOO_LONG", "the request is too long");
    }
    Optional<String> clientId = sent.one("client_id");
    if (clientId.isEmpty()) {
      return unanswerable("-", "NO_CLIENT", "client_id is missing, or occurs more than once");
    }
    Optional<Client> client = clients.find(request.realm(), clientId.get());
    if (client.isEmpty()) {
      return unanswerable(clientId.get(), "CLIENT_UNKNOWN", "there is no such client");
    }
    Optional<String> reference = sent.one("request_uri").filter(PushedRequests::isPushed);
    return reference.isPresent()
        ? brought(request, client.get(), reference.get())
        : direct(request, client.get(), raw, sent);
  }

  private Incoming brought(RealmRequest request, Client client, String reference) {
    Optional<PushedRequests.Found> found = pushed.find(request, client, reference);
    if (found.isEmpty()) {
      return new Incoming.Unanswerable(
          client.id(),
          "PUSHED_REQUEST_UNKNOWN",
          OAuthError.of(Code.INVALID_REQUEST_URI, "request_uri has expired, was used, or is not one of the client's"));
    }
    return switch (incoming(client, requests.read(request, client, found.get().parameters()))) {
      case Incoming.Accepted(var asked, var owner) ->
          new Incoming.Accepted(asked.withPushed(found.get().key()), owner);
      case Incoming.Refused refused -> refused;
      case Incoming.Unanswerable unanswerable -> unanswerable;
    };
  }

  private Incoming direct(RealmRequest request, Client client, Parameters raw, RequestParameters sent) {
    if (client.config().requests().pushed()) {
      return incoming(
          client,
          AuthorizationRequests.refuse(
              client, sent, OAuthError.of(Code.INVALID_REQUEST, "the client must push its requests")));
    }
    if (!sent.twice().isEmpty()) {
      return incoming(
          client,
          AuthorizationRequests.refuse(
              client, sent, OAuthError.of(Code.INVALID_REQUEST, "a parameter occurs more than once")));
    }
    return switch (objects.parameters(request, client, raw)) {
      case Result.Refused(var error) ->
          incoming(client, AuthorizationRequests.refuse(client, sent, error));
      case Result.Accepted(var counting) ->
          incoming(client, requests.read(request, client, RequestParameters.of(counting)));
    };
  }

  private static Incoming incoming(Client client, Read read) {
    return switch (read) {
      case Read.Unanswerable(var reason, var error) -> new Incoming.Unanswerable(client.id(), reason, error);
      case Read.Refused(var reply, var error) -> new Incoming.Refused(client.id(), reply, error);
      case Read.Accepted(var asked) -> new Incoming.Accepted(asked, client);
    };
  }

  private static Incoming unanswerable(String clientId, String reason, String description) {
    return new Incoming.Unanswerable(clientId, reason, OAuthError.of(Code.INVALID_REQUEST, description));
  }
}
