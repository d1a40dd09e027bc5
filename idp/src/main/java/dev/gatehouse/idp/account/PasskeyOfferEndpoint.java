package dev.gatehouse.idp.account;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.idp.authn.AuthenticatedPerson;
import dev.gatehouse.idp.authn.BrowserBinding;
import dev.gatehouse.idp.authn.LoginEndpoint;
import dev.gatehouse.idp.authn.PasskeyScript;
import dev.gatehouse.idp.authn.PendingSignOn;
import dev.gatehouse.idp.authn.RecentLogin;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.passkey.PasskeyEnrolments;
import dev.gatehouse.idp.passkey.PasskeyOffers;
import dev.gatehouse.idp.passkey.PasskeyRefusal;
import dev.gatehouse.idp.session.AuthnLevel;
import dev.gatehouse.idp.session.IdpSessions;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The offer of a first passkey, on the way from a login by password to what waits for it. Each answer leads on: the person has a session
 * already, and {@code pending} in the address only tells where it leads.
 */
public final class PasskeyOfferEndpoint implements Endpoint {

  private static final String FORM = "passkey-offer";

  private final IdpSessions sessions;
  private final RecentLogin waiting;
  private final BrowserBinding browsers;
  private final EnrollingLogin login;
  private final PasskeyOffers offers;
  private final PasskeyEnrolments enrolments;
  private final Pages pages;
  private final Refusals refusals;

  public PasskeyOfferEndpoint(
      IdpSessions sessions,
      RecentLogin waiting,
      BrowserBinding browsers,
      EnrollingLogin login,
      PasskeyOffers offers,
      PasskeyEnrolments enrolments,
      Pages pages,
      Refusals refusals) {
    this.sessions = sessions;
    this.waiting = waiting;
    this.browsers = browsers;
    this.login = login;
    this.offers = offers;
    this.enrolments = enrolments;
    this.pages = pages;
    this.refusals = refusals;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    Optional<PendingSignOn> sought = waiting.sought(request, browsers);
    return AuthenticatedPerson.onPage(
        sessions, refusals, PendingSignOn.spoken(request, sought), FORM, me -> show(request, me, sought), me -> post(request, me, sought));
  }

  private EdgeReply show(RealmRequest request, AuthenticatedPerson me, Optional<PendingSignOn> sought) {
    // The login may be too old by now, or the offer answered in another tab.
    if (login.level(request, me).isEmpty() || !offers.isDue(request, me.session().person())) {
      return EdgeReply.seeOther(LoginEndpoint.next(request, sought));
    }
    Map<String, Object> model = new HashMap<>();
    model.put("action", PasskeyOffers.address(request, PasskeyOffers.PATH, sought.map(PendingSignOn::key)));
    model.put("options", request.here(PasskeysEndpoint.OPTIONS));
    model.put("csrf", CsrfToken.of(me.token(), FORM));
    model.put("wrong", request.http().queryParameters().one("wrong").isPresent());
    model.put("partner", sought.map(PendingSignOn::partner));
    Page page = new Page(200, "passkey-offer", model, Page.Policy.scripted(request.here(PasskeyScript.PATH)));
    return pages.render(request.http(), Optional.of(request.realm()), page);
  }

  private EdgeReply post(RealmRequest request, AuthenticatedPerson me, Optional<PendingSignOn> sought) {
    Parameters fields = request.http().formParameters();
    Optional<AuthnLevel> level = login.level(request, me);
    if (fields.one("action").filter("add"::equals).isPresent() && level.isPresent()) {
      Optional<PasskeyRefusal> refused =
          enrolments.keep(
              request,
              EnrollingLogin.ceremony(me),
              me.session(),
              level.get(),
              fields.one("label").orElse(""),
              fields.one("response").orElse(""));
      if (refused.isPresent()) {
        String again = request.here(PasskeyOffers.PATH) + "?wrong=passkey";
        return EdgeReply.seeOther(again + sought.map(found -> "&pending=" + found.key()).orElse(""));
      }
    }
    offers.answered(request, me.session().person());
    return EdgeReply.seeOther(LoginEndpoint.next(request, sought));
  }
}
