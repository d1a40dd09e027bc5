package dev.gatehouse.sp.inspection;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.login.LoginRequest;
import dev.gatehouse.sp.login.ReturnTarget;
import dev.gatehouse.sp.login.SamlLoginStart;
import dev.gatehouse.sp.oidc.OpenIdLoginStart;
import java.util.Optional;

/** {@code GET /.gatehouse/test-login} at the home origin: sends an administrator's browser to the identity provider. */
final class TestLoginEndpoint {

  static final String PATH = SpPaths.PREFIX + "test-login";

  private final TestLogins logins;
  private final SamlLoginStart samlStart;
  private final OpenIdLoginStart openIdStart;
  private final Refusals refusals;

  TestLoginEndpoint(TestLogins logins, SamlLoginStart samlStart, OpenIdLoginStart openIdStart, Refusals refusals) {
    this.logins = logins;
    this.samlStart = samlStart;
    this.openIdStart = openIdStart;
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
    return login
        .map(found -> start(realm, request, found))
        .orElseGet(() -> refusals.page(realm, request, 403, "expired"));
  }

  private EdgeReply start(SpRealm realm, EdgeRequest request, TestLogin login) {
    if (login.exchange().isPresent()) {
      return openIdStart.test(realm, request, LoginInspector.request(realm, login));
    }
    LoginRequest toHome = LoginRequest.to(ReturnTarget.parse("/", realm, realm.home()));
    return samlStart.test(realm, request, toHome, login.identityProvider(), login.id());
  }
}
