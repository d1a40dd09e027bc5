package dev.gatehouse.sp.logout;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.SamlReader;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpRealm;
import java.util.Optional;

/**
 * {@code /.gatehouse/saml/slo} at the home origin: LogoutRequests and LogoutResponses by Redirect and POST (SAML
 * Profiles 4.4.3).
 */
public final class SingleLogoutEndpoint {

  private final LogoutRequestReception requests;
  private final SoapLogoutReception soapRequests;
  private final LogoutResponseReception responses;
  private final Refusals refusals;

  public SingleLogoutEndpoint(
      LogoutRequestReception requests,
      SoapLogoutReception soapRequests,
      LogoutResponseReception responses,
      Refusals refusals) {
    this.requests = requests;
    this.soapRequests = soapRequests;
    this.responses = responses;
    this.refusals = refusals;
  }

  public EdgeReply handle(SpRealm realm, EdgeRequest request) {
    if (!realm.isHome(request)) {
      return refusals.notFound(realm, request);
    }
    if (!request.method().equals("GET") && !request.method().equals("POST")) {
      return refusals.methodNotAllowed(realm, request, "GET, POST");
    }
    Optional<SamlReader.Kind> kind = SamlReader.kind(request);
    if (kind.isEmpty()) {
      SamlRefusal refusal = new SamlRefusal(Reason.NO_MESSAGE, "neither or both of SAMLRequest and SAMLResponse");
      return refusals.message(realm, request, "-", "-", refusal);
    }
    return switch (kind.get()) {
      case REQUEST -> requests.receive(realm, request);
      case RESPONSE -> responses.receive(realm, request);
    };
  }

  /** {@code /.gatehouse/saml/slo/soap} at the home origin: LogoutRequests by SOAP. */
  public EdgeReply handleSoap(SpRealm realm, EdgeRequest request) {
    if (!realm.isHome(request)) {
      return refusals.notFound(realm, request);
    }
    if (!request.method().equals("POST")) {
      return refusals.methodNotAllowed(realm, request, "POST");
    }
    return soapRequests.receive(realm, request);
  }
}
