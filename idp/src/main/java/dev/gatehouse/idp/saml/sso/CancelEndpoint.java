package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.saml.SamlStatus;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.authn.BrowserBinding;
import dev.gatehouse.idp.authn.CsrfToken;
import dev.gatehouse.idp.authn.LoginEndpoint;
import dev.gatehouse.idp.authn.SameOriginCheck;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import java.util.Optional;

/** A person breaks off the login that a sign-on waits for: the partner hears AuthnFailed (SAML Core 3.2.2.2). */
final class CancelEndpoint implements Endpoint {

  private static final SamlStatus CANCELLED =
      SamlStatus.of(SamlStatus.RESPONDER, SamlStatus.AUTHN_FAILED).because("the login was cancelled");

  private final SamlReleases releases;
  private final BrowserBinding browsers;
  private final Refusals refusals;

  CancelEndpoint(SamlReleases releases, BrowserBinding browsers, Refusals refusals) {
    this.releases = releases;
    this.browsers = browsers;
    this.refusals = refusals;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    Optional<SessionToken> browser = browsers.find(request);
    Optional<String> csrf = request.http().formParameters().one("csrf");
    if (browser.isEmpty()
        || !CsrfToken.matches(browser.get(), LoginEndpoint.FORM, csrf)
        || !SameOriginCheck.passes(request.http())) {
      return refusals.page(request, 403, "cross-site", "CSRF");
    }
    return releases.end(request, request.http().queryParameters().one("pending").orElse(""), CANCELLED);
  }
}
