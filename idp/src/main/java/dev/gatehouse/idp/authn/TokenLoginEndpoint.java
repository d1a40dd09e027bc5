package dev.gatehouse.idp.authn;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.authn.TokenPages.Decided;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.session.LoginContract;
import dev.gatehouse.idp.session.LoginContracts;
import java.util.Map;
import java.util.Optional;

/** Login by token: a form with {@code username} and {@code passcode}, PIN and code in one field. */
public final class TokenLoginEndpoint implements Endpoint {

  private final LoginSteps steps;
  private final TokenPages forms;
  private final BrowserBinding browsers;
  private final PendingSignOns waiting;
  private final Refusals refusals;

  TokenLoginEndpoint(LoginSteps steps, TokenPages forms, BrowserBinding browsers, PendingSignOns waiting, Refusals refusals) {
    this.steps = steps;
    this.forms = forms;
    this.browsers = browsers;
    this.waiting = waiting;
    this.refusals = refusals;
  }

  @Override
  public EdgeReply handle(RealmRequest sent) {
    Optional<String> pending = sent.http().queryParameters().one("pending");
    Optional<PendingSignOn> sought =
        pending.flatMap(key -> waiting.find(sent, key)).filter(w -> browsers.matches(sent, w.browser()));
    RealmRequest request = PendingSignOn.spoken(sent, sought);
    if (!LoginContracts.offersToken(request)) {
      return refusals.page(request, 404, "not-found", "TOKENS_OFF");
    }
    if (pending.isPresent() && sought.isEmpty()) {
      return refusals.page(request, 400, "expired", "NO_SUCH_PENDING_LOGIN");
    }
    SessionToken browser = browsers.findOrCreate(request);
    String name = request.http().isGet() ? "" : request.http().formParameters().one("username").orElse("");
    TokenPages.Form form = form(request, sought, name);
    if (request.http().isGet()) {
      return browsers.keep(request, browser, forms.show(request, browser, form, 200, Optional.empty()));
    }
    if (!CsrfToken.isIn(request.http(), browser, TokenPages.FORM)) {
      return browsers.keep(request, browser, forms.show(request, browser, form, 403, Optional.of("login.wrong.form")));
    }
    return switch (forms.submit(request, browser, form)) {
      case Decided.Again(EdgeReply page) -> page;
      case Decided.Accepted(var result) -> steps.passed(request, result.person(), LoginContract.TOKEN, browser, sought);
    };
  }

  private static TokenPages.Form form(RealmRequest request, Optional<PendingSignOn> sought, String name) {
    String other = LoginEndpoint.address(request, sought.map(PendingSignOn::key));
    String password = other + (other.contains("?") ? "&" : "?") + "by=form";
    return new TokenPages.Form(address(request, sought.map(PendingSignOn::key)), name, false, sought, Map.of("password", password));
  }

  static String address(RealmRequest request, Optional<String> pending) {
    return request.here("login/token") + pending.map(key -> "?pending=" + key).orElse("");
  }
}
