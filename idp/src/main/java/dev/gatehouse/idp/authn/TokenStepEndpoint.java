package dev.gatehouse.idp.authn;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.authn.SecondSteps.Bearer;
import dev.gatehouse.idp.authn.SecondSteps.Found;
import dev.gatehouse.idp.authn.TokenPages.Decided;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.session.LoginContract;
import dev.gatehouse.idp.session.LoginContracts;
import java.util.Map;
import java.util.Optional;

/** The second step by PIN and code of a token, for a person who is known by a first one. */
public final class TokenStepEndpoint implements Endpoint {

  private final SecondSteps steps;
  private final TokenPages forms;
  private final BrowserBinding browsers;
  private final Refusals refusals;

  TokenStepEndpoint(SecondSteps steps, TokenPages forms, BrowserBinding browsers, Refusals refusals) {
    this.steps = steps;
    this.forms = forms;
    this.browsers = browsers;
    this.refusals = refusals;
  }

  static String address(RealmRequest request) {
    return request.here("login/second/token");
  }

  @Override
  public EdgeReply handle(RealmRequest sent) {
    if (!LoginContracts.offersToken(sent)) {
      return refusals.page(sent, 404, "not-found", "TOKENS_OFF");
    }
    return switch (steps.find(sent)) {
      case Found.Elsewhere(EdgeReply reply) -> reply;
      case Found.Here(Bearer bearer) -> {
        RealmRequest request = PendingSignOn.spoken(sent, bearer.sought());
        SessionToken browser = browsers.findOrCreate(request);
        yield request.http().isGet()
            ? browsers.keep(request, browser, forms.show(request, browser, form(request, bearer), 200, Optional.empty()))
            : submit(request, bearer, browser);
      }
    };
  }

  private EdgeReply submit(RealmRequest request, Bearer bearer, SessionToken browser) {
    TokenPages.Form form = form(request, bearer);
    if (!CsrfToken.isIn(request.http(), browser, TokenPages.FORM)) {
      return browsers.keep(request, browser, forms.show(request, browser, form, 403, Optional.of("login.wrong.form")));
    }
    return switch (forms.submit(request, browser, form)) {
      case Decided.Again(EdgeReply page) -> page;
      case Decided.Accepted(var result) ->
          result.person().id().equals(bearer.person().id())
              ? steps
                  .passed(request, bearer, LoginContract.TOKEN)
                  .map(opened -> opened.to(LoginEndpoint.next(request, bearer.sought())))
                  .orElseGet(() -> steps.gone(request))
              : steps.gone(request);
    };
  }

  private static TokenPages.Form form(RealmRequest request, Bearer bearer) {
    Map<String, String> links =
        bearer instanceof Bearer.AfterFirstStep
            ? Map.of("again", LoginEndpoint.address(request, bearer.sought().map(PendingSignOn::key)))
            : Map.of();
    return new TokenPages.Form(address(request) + bearer.query(), bearer.person().name(), true, bearer.sought(), links);
  }
}
