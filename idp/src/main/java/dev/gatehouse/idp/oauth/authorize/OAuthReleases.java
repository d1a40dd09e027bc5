package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.saml.metadata.UiInfo;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.IdpSessions;
import dev.gatehouse.idp.authn.PendingRequests;
import dev.gatehouse.idp.consent.PendingRelease;
import dev.gatehouse.idp.consent.PendingReleases;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.client.Clients;
import java.util.List;
import java.util.Optional;

/** The attribute releases of waiting authorization requests for the person who is logged in. */
final class OAuthReleases implements PendingReleases {

  private final PendingRequests<AuthorizationRequest> pendingRequests;
  private final Clients clients;
  private final IdpSessions sessions;
  private final AuthorizationAnswer answer;

  OAuthReleases(
      PendingRequests<AuthorizationRequest> pendingRequests, Clients clients, IdpSessions sessions, AuthorizationAnswer answer) {
    this.pendingRequests = pendingRequests;
    this.clients = clients;
    this.sessions = sessions;
    this.answer = answer;
  }

  @Override
  public Optional<PendingRelease> find(RealmRequest request, String key) {
    Optional<AuthorizationRequest> asked = pendingRequests.own(request, key);
    Optional<Client> client = asked.flatMap(a -> clients.find(request.realm(), a.clientId()));
    Optional<IdpSession> session = sessions.current(request).flatMap(s -> sessions.upToDate(request, s));
    return asked.isEmpty() || client.isEmpty() || session.isEmpty()
        ? Optional.empty()
        : Optional.of(release(request, key, asked.get(), client.get(), session.get()));
  }

  /** The error is access_denied (RFC 6749, section 4.1.2.1). */
  @Override
  public EdgeReply deny(RealmRequest request, String key) {
    return end(request, key, "the person did not agree");
  }

  EdgeReply cancel(RealmRequest request, String key) {
    return end(request, key, "the login was cancelled");
  }

  private EdgeReply end(RealmRequest request, String key, String description) {
    return pendingRequests.own(request, key)
        .map(
            asked ->
                answer.error(
                    request, asked, Optional.of(key), OAuthError.of(Code.ACCESS_DENIED, description)))
        .orElseGet(() -> pendingRequests.gone(request, "NO_SUCH_PENDING_LOGIN"));
  }

  private static PendingRelease release(
      RealmRequest request, String key, AuthorizationRequest asked, Client client, IdpSession session) {
    return new PendingRelease(
        key,
        ClientConsents.partner(client.id()),
        client.config().name(),
        UiInfo.none(),
        LogoEndpoint.links(request, client),
        session.person(),
        ConsentItems.of(request.idp().oauth(), asked, session.snapshot().details()),
        List.of(),
        asked.loginPage().uiLocales(),
        PendingAuthorizations.resume(request, key));
  }
}
