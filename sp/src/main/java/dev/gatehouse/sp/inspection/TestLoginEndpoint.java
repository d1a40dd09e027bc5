package dev.gatehouse.sp.inspection;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.login.LoginRequest;
import dev.gatehouse.sp.login.ReturnTarget;
import dev.gatehouse.sp.login.SamlLoginStart;
import java.util.Optional;

/** {@code GET /.gatehouse/saml/test-login} at the home origin: sends an administrator's browser to the identity provider. */
final class TestLoginEndpoint {

  static final String PATH = SpPaths.PREFIX + "saml/test-login";

  private final TestLogins logins;
  private final SamlLoginStart start;
  private final Refusals refusals;

  TestLoginEndpoint(TestLogins logins, SamlLoginStart start, Refusals refusals) {
    this.logins = logins;
    this.start = start;
    this.refusals = refusals;
  }

  EdgeReply handle(SpRealm realm, EdgeRequest request) {
    if (!realm.isHome(request)) {
      return refusals.notFound(realm, request);
    }
    if (!request.method().equals("GET")) {
      return refusals.methodNotAllowed(realm, request, "GET");
    }
    Optional<TestLogin> login = request.queryParameters().one("id").flatMap(id -> logins.waiting(realm, id));
    LoginRequest loginRequest = LoginRequest.to(ReturnTarget.parse("/", realm, realm.home()));
    return login
        .map(found -> start.test(realm, request, loginRequest, found.identityProvider(), found.id()))
        .orElseGet(() -> refusals.page(realm, request, 403, "expired"));
  }
}
