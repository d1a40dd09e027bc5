package dev.gatehouse.idp.authn;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import java.util.Optional;
import java.util.function.BiFunction;

/** A person breaks off the login that a sign-on waits for, by a button of the login form: whoever asked hears of it. */
public final class CancelEndpoint implements Endpoint {

  private final BiFunction<RealmRequest, String, EdgeReply> cancel;
  private final BrowserBinding browsers;
  private final Refusals refusals;

  /** @param cancel ends what waits under the key, if it is this browser's */
  public CancelEndpoint(
      BiFunction<RealmRequest, String, EdgeReply> cancel, BrowserBinding browsers, Refusals refusals) {
    this.cancel = cancel;
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
    return cancel.apply(request, request.http().queryParameters().one("pending").orElse(""));
  }
}
