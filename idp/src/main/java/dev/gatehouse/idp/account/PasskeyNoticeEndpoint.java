package dev.gatehouse.idp.account;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.passkey.Passkeys.Addition;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.idp.authn.AuthenticatedPerson;
import dev.gatehouse.idp.authn.BrowserBinding;
import dev.gatehouse.idp.authn.LoginEndpoint;
import dev.gatehouse.idp.authn.PendingSignOn;
import dev.gatehouse.idp.authn.RecentLogin;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.passkey.PasskeyOffers;
import dev.gatehouse.idp.session.IdpSessions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The notice of passkeys that were added since the person was told last, on the way from a login to what waits for it. It comes at each
 * login until the person goes on by its button, in a session other than the one that added the passkey; and once in each browser in which
 * the person has logged in before.
 */
public final class PasskeyNoticeEndpoint implements Endpoint {

  private static final String FORM = "passkey-notice";

  private final IdpSessions sessions;
  private final RecentLogin waiting;
  private final BrowserBinding browsers;
  private final PasskeyOffers offers;
  private final Pages pages;
  private final Refusals refusals;

  public PasskeyNoticeEndpoint(
      IdpSessions sessions, RecentLogin waiting, BrowserBinding browsers, PasskeyOffers offers, Pages pages, Refusals refusals) {
    this.sessions = sessions;
    this.waiting = waiting;
    this.browsers = browsers;
    this.offers = offers;
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
    List<Addition> untold = offers.untold(request, me.session());
    if (untold.isEmpty()) {
      return EdgeReply.seeOther(LoginEndpoint.next(request, sought));
    }
    Map<String, Object> model = new HashMap<>();
    model.put("action", PasskeyOffers.address(request, PasskeyOffers.NOTICE, sought.map(PendingSignOn::key)));
    model.put("csrf", CsrfToken.of(me.token(), FORM));
    // No names of the passkeys: whoever added them chose those.
    model.put("added", untold.reversed().stream().map(Addition::at).toList());
    model.put("upTo", Long.toString(untold.getLast().number()));
    model.put("passkeysAddress", request.here(PasskeysEndpoint.PATH));
    model.put("passwordAddress", request.here("password"));
    model.put("partner", sought.map(PendingSignOn::partner));
    return pages.render(request.http(), Optional.of(request.realm()), Page.of(200, "passkey-notice", model));
  }

  /** Only what the page showed is put away: another passkey may have been added since. */
  private EdgeReply post(RealmRequest request, AuthenticatedPerson me, Optional<PendingSignOn> sought) {
    String upTo = request.http().formParameters().one("upTo").orElse("");
    List<Addition> untold = offers.untold(request, me.session());
    untold.stream()
        .map(Addition::number)
        .filter(number -> Long.toString(number).equals(upTo))
        .forEach(number -> offers.told(request, me.session(), number));
    return EdgeReply.seeOther(LoginEndpoint.next(request, sought));
  }
}
