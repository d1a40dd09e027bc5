package dev.gatehouse.idp.oauth.device;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.authn.BrowserBinding;
import dev.gatehouse.idp.authn.LoginEndpoint;
import dev.gatehouse.idp.authn.PendingRequests;
import dev.gatehouse.idp.authn.PendingSignOn;
import dev.gatehouse.idp.authn.PendingSignOns;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.authorize.LogoEndpoint;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.client.Clients;
import dev.gatehouse.idp.session.AuthnWanted;
import dev.gatehouse.idp.session.LoginContract;
import java.util.List;
import java.util.Optional;

/**
 * The device page while it waits for a login: without a code, or with the code in its address, which is not looked up
 * before a person has logged in. Later it waits for a stronger login, if the client requires one.
 */
final class DeviceSignOns implements PendingSignOns {

  private static final String KEY = "device";

  private final PendingRequests<DeviceConfirmation> pendingRequests;
  private final DeviceCodes codes;
  private final Clients clients;
  private final BrowserBinding browsers;

  DeviceSignOns(
      PendingRequests<DeviceConfirmation> pendingRequests, DeviceCodes codes, Clients clients, BrowserBinding browsers) {
    this.pendingRequests = pendingRequests;
    this.codes = codes;
    this.clients = clients;
    this.browsers = browsers;
  }

  /** Redirects to the login page, which returns to the device page with the code in its address. */
  EdgeReply login(RealmRequest request, Optional<UserCode> code) {
    SessionToken browser = browsers.findOrCreate(request);
    String key = KEY + code.map(c -> "." + c.letters()).orElse("");
    return browsers.keep(request, browser, EdgeReply.seeOther(LoginEndpoint.address(request, Optional.of(key))));
  }

  @Override
  public Optional<PendingSignOn> find(RealmRequest request, String key) {
    if (key.equals(KEY)) {
      return before(request, key, "");
    }
    if (key.startsWith(KEY + ".")) {
      return UserCode.parse(key.substring(KEY.length() + 1))
          .flatMap(code -> before(request, key, "?user_code=" + code.shown()));
    }
    return pendingRequests.own(request, key)
        .flatMap(waits -> codes.find(waits.device()).flatMap(found -> signOn(request, key, found)));
  }

  private Optional<PendingSignOn> before(RealmRequest request, String key, String query) {
    return browsers
        .find(request)
        .map(
            browser ->
                new PendingSignOn(
                    key,
                    BrowserBinding.hash(browser),
                    request.realm().brand().displayName(),
                    AuthnWanted.anything(),
                    request.here(DevicePage.PATH) + query,
                    Optional.empty()));
  }

  private Optional<PendingSignOn> signOn(
      RealmRequest request, String key, DeviceCodes.Found found) {
    return clients
        .find(request.realm(), found.request().clientId())
        .flatMap(
            client ->
                pendingRequests.browser(request)
                    .map(
                        browser ->
                            new PendingSignOn(
                                key,
                                browser,
                                client.config().name(),
                                wanted(client),
                                DeviceQuestion.address(request, key),
                                Optional.empty(),
                                Optional.empty(),
                                List.of(),
                                false,
                                LogoEndpoint.links(request, client))));
  }

  static AuthnWanted wanted(Client client) {
    return new AuthnWanted(
        Optional.empty(), client.config().login().contract().flatMap(LoginContract::of), Optional.empty());
  }
}
