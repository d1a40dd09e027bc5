package dev.gatehouse.idp.authn;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import java.util.Optional;
import java.util.function.BiFunction;

/** Cancels the login for a waiting sign-on, by a button of the login form. The partner is informed. */
public final class CancelEndpoint implements Endpoint {

  private final BiFunction<RealmRequest, String, EdgeReply> cancel;
  private final BrowserBinding browsers;
  private final Refusals refusals;

  /** @param cancel ends the sign-on under the key, if it belongs to this browser */
  public CancelEndpoint(
      BiFunction<RealmRequest, String, EdgeReply> cancel, BrowserBinding browsers, Refusals refusals) {
    this.cancel = cancel;
    this.browsers = browsers;
    this.refusals = refusals;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    Optional<SessionToken> browser = browsers.find(request);
    if (browser.isEmpty() || !CsrfToken.isIn(request.http(), browser.get(), LoginEndpoint.FORM)) {
      return refusals.page(request, 403, "cross-site", "CSRF");
    }
    return cancel.apply(request, request.http().queryParameters().one("pending").orElse(""));
  }
}
