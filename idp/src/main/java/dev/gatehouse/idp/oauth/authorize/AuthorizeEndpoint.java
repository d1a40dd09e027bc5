package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.idp.authn.CrossSitePost;
import dev.gatehouse.idp.authn.PendingRequests;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.oauth.authorize.IncomingRequests.Incoming;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.client.Clients;
import java.util.Optional;

/**
 * The authorization endpoint (RFC 6749, section 3.1), by GET and by POST. A saved request ({@code resume}) and one
 * that waited for a person ({@code pending}) also return to this address.
 */
final class AuthorizeEndpoint implements Endpoint {

  static final String MESSAGE = "authorization request";

  private final IncomingRequests incoming;
  private final PendingRequests<AuthorizationRequest> pendingRequests;
  private final Clients clients;
  private final AuthorizationAnswer answer;
  private final AuthorizationPendingLogin waiting;
  private final AuthorizationReply reply;
  private final CrossSitePost crossSite;
  private final Refusals refusals;

  AuthorizeEndpoint(
      IncomingRequests incoming,
      PendingRequests<AuthorizationRequest> pendingRequests,
      Clients clients,
      AuthorizationAnswer answer,
      AuthorizationPendingLogin waiting,
      AuthorizationReply reply,
      CrossSitePost crossSite,
      Refusals refusals) {
    this.incoming = incoming;
    this.pendingRequests = pendingRequests;
    this.clients = clients;
    this.answer = answer;
    this.waiting = waiting;
    this.reply = reply;
    this.crossSite = crossSite;
    this.refusals = refusals;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    if (!request.http().isGet()) {
      return take(request, request.http().formParameters());
    }
    Parameters query = request.http().queryParameters();
    Optional<String> waits = query.one("pending");
    if (waits.isPresent()) {
      return pendingRequests.own(request, waits.get())
          .map(asked -> go(request, asked, waits))
          .orElseGet(() -> pendingRequests.gone(request, "NO_SUCH_PENDING_LOGIN"));
    }
    Optional<String> resume = query.one("resume");
    return resume.isPresent()
        ? pendingRequests.resume(request, resume.get(), found -> go(request, found.asked().withResumed(found.id()), Optional.empty()))
        : take(request, query);
  }

  private EdgeReply take(RealmRequest request, Parameters sent) {
    return switch (incoming.read(request, sent)) {
      case Incoming.Unanswerable(var clientId, var reason, var error) ->
          refusals.client(request, clientId, MESSAGE, reason, error.description());
      case Incoming.Refused(var clientId, var to, var error) -> {
        refusals.clientAnswered(request, clientId, MESSAGE, error.code().name(), error.description());
        yield reply.error(request, to, error, false);
      }
      case Incoming.Accepted(var asked, var client) ->
          crossSite.comesWithoutCookies(request)
              ? waiting.saveAndRedirect(request, asked)
              : answer.answer(request, asked, client, Optional.empty());
    };
  }

  private EdgeReply go(RealmRequest request, AuthorizationRequest asked, Optional<String> key) {
    Optional<Client> client = clients.find(request.realm(), asked.clientId());
    return client.isPresent()
        ? answer.answer(request, asked, client.get(), key)
        : refusals.client(request, asked.clientId(), MESSAGE, "CLIENT_UNKNOWN", "it existed when the request began");
  }
}
