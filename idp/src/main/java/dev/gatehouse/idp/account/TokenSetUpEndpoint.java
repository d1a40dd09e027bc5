package dev.gatehouse.idp.account;

import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.idp.authn.AuthenticatedPerson;
import dev.gatehouse.idp.authn.ShownOnce;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.otp.OwnTokens;
import dev.gatehouse.idp.otp.TokenEnrolments;
import dev.gatehouse.idp.otp.TokenEnrolments.Offer;
import dev.gatehouse.idp.otp.TokenEnrolments.Outcome;
import dev.gatehouse.idp.otp.TokenEnrolments.Typed;
import dev.gatehouse.idp.session.IdpSessions;
import dev.gatehouse.idp.session.LoginContracts;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Sets up a software token: a picture for the app, a field for its first code, and the PIN if there is none. */
public final class TokenSetUpEndpoint implements Endpoint {

  static final String PATH = TokensEndpoint.PATH + "/set-up";

  private final IdpSessions sessions;
  private final TokenEnrolments enrolments;
  private final OwnTokens tokens;
  private final Pages pages;
  private final Refusals refusals;

  public TokenSetUpEndpoint(IdpSessions sessions, TokenEnrolments enrolments, OwnTokens tokens, Pages pages, Refusals refusals) {
    this.sessions = sessions;
    this.enrolments = enrolments;
    this.tokens = tokens;
    this.pages = pages;
    this.refusals = refusals;
  }

  static String address(RealmRequest request, String key) {
    return request.here(PATH) + "?enrolment=" + key;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    if (!LoginContracts.offersToken(request)) {
      return refusals.page(request, 404, "not-found", "TOKENS_OFF");
    }
    String key = request.http().queryParameters().one("enrolment").orElse("");
    return AuthenticatedPerson.onPage(
        sessions, refusals, request, TokensEndpoint.FORM, me -> show(request, me, key, 200, Optional.empty()), me -> confirm(request, me, key));
  }

  private EdgeReply confirm(RealmRequest request, AuthenticatedPerson me, String key) {
    Parameters fields = request.http().formParameters();
    Optional<String> made = tokens.hasPin(request, person(me)) ? Optional.empty() : tokens.serverPin(request, person(me).id());
    Typed typed =
        new Typed(
            fields.one("code").orElse(""), made.or(() -> fields.one("pin")).orElse(""), made.or(() -> fields.one("again")).orElse(""));
    Outcome outcome = enrolments.confirm(request, person(me), me.browser(), key, typed);
    if (outcome == Outcome.DONE && made.isPresent()) {
      String next = request.here(TokensEndpoint.PATH) + "?done=enrolled";
      return ShownOnce.page(pages, request, ShownOnce.What.SERVER_PIN, List.of(made.get()), person(me).name(), next);
    }
    return switch (outcome) {
      case DONE -> EdgeReply.seeOther(request.here(TokensEndpoint.PATH) + "?done=enrolled");
      case GONE -> EdgeReply.seeOther(request.here(TokensEndpoint.PATH));
      case WRONG_CODE, PIN_NOT_ALLOWED, PINS_DIFFER ->
          show(request, me, key, 403, Optional.of("tokens.wrong." + outcome.name().toLowerCase(Locale.ROOT)));
    };
  }

  private EdgeReply show(RealmRequest request, AuthenticatedPerson me, String key, int status, Optional<String> wrong) {
    return enrolments
        .find(request, person(me), me.browser(), key)
        .map(offer -> page(request, me, key, offer, status, wrong))
        .orElseGet(() -> EdgeReply.seeOther(request.here(TokensEndpoint.PATH)));
  }

  private EdgeReply page(
      RealmRequest request, AuthenticatedPerson me, String key, Offer offer, int status, Optional<String> wrong) {
    TokenLogin.Pin rules = request.idp().contracts().token().orElseThrow().pin();
    Map<String, Object> model = new HashMap<>();
    model.put("action", address(request, key));
    model.put("back", request.here(TokensEndpoint.PATH));
    model.put("csrf", CsrfToken.of(me.token(), TokensEndpoint.FORM));
    model.put("wrong", wrong);
    model.put("box", "0 0 " + offer.picture().side() + " " + offer.picture().side());
    model.put("path", offer.picture().path());
    model.put("uri", offer.uri());
    model.put("secret", offer.text());
    model.put("name", offer.account());
    model.put("needsPin", offer.needsPin() && rules.chosenBy() != TokenLogin.ChosenBy.SERVER);
    model.put("proposed", tokens.pins().proposed(request));
    model.put("least", rules.least());
    model.put("most", rules.most());
    return pages.render(request.http(), Optional.of(request.realm()), Page.of(status, "token-set-up", model));
  }

  private static Person person(AuthenticatedPerson me) {
    return me.session().snapshot().details();
  }
}
