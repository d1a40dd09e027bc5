package dev.gatehouse.idp.authn;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.totp.Enrolments;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The pages that set up an authenticator app, during a login and from the account page. */
public final class SetUpPages {

  private final Pages pages;

  public SetUpPages(Pages pages) {
    this.pages = pages;
  }

  /** The QR code, and a form for a first code. */
  public EdgeReply form(
      RealmRequest request,
      Enrolments.Offer offer,
      String action,
      String csrf,
      String name,
      int status,
      Optional<String> wrong) {
    Map<String, Object> model = new HashMap<>();
    model.put("action", action);
    model.put("csrf", csrf);
    model.put("name", name);
    model.put("wrong", wrong);
    model.put("box", "0 0 " + offer.picture().side() + " " + offer.picture().side());
    model.put("path", offer.picture().path());
    model.put("uri", offer.uri());
    model.put("secret", offer.text());
    return pages.render(request.http(), Optional.of(request.realm()), Page.of(status, "set-up", model));
  }

  /**
   * The recovery codes, shown only once.
   *
   * @param next one of our paths, at which the person continues
   */
  public EdgeReply recoveryCodes(RealmRequest request, List<String> codes, String next) {
    Map<String, Object> model = new HashMap<>();
    model.put("codes", codes);
    model.put("next", next);
    return pages.render(request.http(), Optional.of(request.realm()), Page.of(200, "recovery-codes", model));
  }
}
