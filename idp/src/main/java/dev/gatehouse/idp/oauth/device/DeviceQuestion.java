package dev.gatehouse.idp.oauth.device;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.idp.authn.AuthenticatedPerson;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.idp.authn.LoginEndpoint;
import dev.gatehouse.idp.authn.PendingRequests;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.oauth.authorize.ConsentItems;
import dev.gatehouse.idp.oauth.authorize.LogoEndpoint;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.client.Clients;
import dev.gatehouse.idp.session.AuthnDecision;
import dev.gatehouse.idp.session.AuthnDecisions;
import dev.gatehouse.idp.session.IdpSession;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Asks a person whether the device with the entered code may be authorized (RFC 8628, section 3.3). */
final class DeviceQuestion {

  private final PendingRequests<DeviceConfirmation> pendingRequests;
  private final DeviceCodes codes;
  private final DeviceDecision decision;
  private final Clients clients;
  private final Pages pages;
  private final Refusals refusals;

  DeviceQuestion(
      PendingRequests<DeviceConfirmation> pendingRequests,
      DeviceCodes codes,
      DeviceDecision decision,
      Clients clients,
      Pages pages,
      Refusals refusals) {
    this.pendingRequests = pendingRequests;
    this.codes = codes;
    this.decision = decision;
    this.clients = clients;
    this.pages = pages;
    this.refusals = refusals;
  }

  /** The address of the question. We create the keys, so they need no escaping. */
  static String address(RealmRequest request, String key) {
    return request.here(DevicePage.PATH) + "?confirm=" + key;
  }

  /** Shows the question, or accepts its answer. */
  EdgeReply handle(RealmRequest request, AuthenticatedPerson me, String key) {
    Optional<DeviceConfirmation> waits =
        pendingRequests.own(request, key).filter(w -> w.person().equals(me.session().person()));
    Optional<DeviceCodes.Found> found = waits.flatMap(w -> codes.find(w.device()));
    Optional<Client> client = found.flatMap(f -> clients.find(request.realm(), f.request().clientId()));
    if (found.isEmpty() || client.isEmpty()) {
      return pendingRequests.gone(request, "NO_SUCH_DEVICE_CODE");
    }
    Optional<IdpSession> session = Optional.of(me.session());
    return switch (AuthnDecisions.of(request, DeviceSignOns.wanted(client.get()), session)) {
      case AuthnDecision.Satisfied login ->
          request.http().isGet()
              ? ask(request, me, key, found.get(), client.get(), false)
              : answer(request, me, key, found.get(), client.get(), login);
      case AuthnDecision.StepUp stepUp -> stronger(request, key);
      case AuthnDecision.Login login -> stronger(request, key);
      case AuthnDecision.Never never -> refusals.page(request, 403, "denied", "CONTRACT_NOT_OFFERED");
    };
  }

  private static EdgeReply stronger(RealmRequest request, String key) {
    return EdgeReply.seeOther(LoginEndpoint.address(request, Optional.of(key)));
  }

  private EdgeReply answer(
      RealmRequest request,
      AuthenticatedPerson me,
      String key,
      DeviceCodes.Found found,
      Client client,
      AuthnDecision.Satisfied login) {
    Parameters fields = request.http().formParameters();
    if (!CsrfToken.isIn(request.http(), me.token(), form(key, found))) {
      return ask(request, me, key, found, client, true);
    }
    boolean agrees;
    switch (fields.one("answer").orElse("")) {
      case "allow" -> agrees = true;
      case "deny" -> agrees = false;
      default -> {
        return refusals.page(request, 400, "bad-request", "NO_SUCH_ANSWER");
      }
    }
    // The user code can be taken only once, so no other mark is needed.
    boolean counted =
        agrees
            ? decision.agree(request, found, client, me.session(), login)
            : decision.deny(request, found, me.session());
    return counted
        ? render(request, 200, "device-done", Map.of("agreed", agrees, "name", client.config().name()))
        : pendingRequests.gone(request, "DEVICE_CODE_ANSWERED");
  }

  /** @param again whether an answer arrived that does not belong to this question */
  private EdgeReply ask(
      RealmRequest request, AuthenticatedPerson me, String key, DeviceCodes.Found found, Client client, boolean again) {
    Map<String, Object> model = new HashMap<>();
    model.put("action", address(request, key));
    model.put("csrf", CsrfToken.of(me.token(), form(key, found)));
    model.put("again", again);
    model.put("name", client.config().name());
    model.put("code", new UserCode(found.request().userCode()).shown());
    model.put("person", me.session().snapshot().details().name());
    model.put(
        "items", ConsentItems.scopes(request.idp().oauth(), found.request().scopes(), me.session().snapshot().details()));
    LogoEndpoint.links(request, client).into(model);
    return render(request, again ? 403 : 200, "device-question", model);
  }

  /** Binds the form to this browser's login and to this question. */
  private static String form(String key, DeviceCodes.Found found) {
    return String.join("\n", "device-question", key, found.key());
  }

  private EdgeReply render(RealmRequest request, int status, String template, Map<String, Object> model) {
    return pages.render(request.http(), Optional.of(request.realm()), Page.of(status, template, model));
  }
}
