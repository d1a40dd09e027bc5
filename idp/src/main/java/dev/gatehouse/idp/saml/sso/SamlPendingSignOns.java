package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.idp.authn.PartnerLinks;
import dev.gatehouse.idp.authn.PendingRequests;
import dev.gatehouse.idp.authn.PendingSignOn;
import dev.gatehouse.idp.authn.PendingSignOns;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.util.List;
import java.util.Optional;

/** SAML sign-ons that wait for a person, as the login form sees them. */
public final class SamlPendingSignOns implements PendingSignOns {

  /** Part of the cookie names. */
  static final String FAMILY = "saml";

  private final PendingRequests<SignOn> pendingRequests;
  private final SsoPartners partners;

  SamlPendingSignOns(PendingRequests<SignOn> pendingRequests, SsoPartners partners) {
    this.pendingRequests = pendingRequests;
    this.partners = partners;
  }

  @Override
  public Optional<PendingSignOn> find(RealmRequest request, String key) {
    return pendingRequests.own(request, key)
        .flatMap(signOn -> pendingRequests.browser(request).flatMap(browser -> waiting(request, key, signOn, browser)));
  }

  private Optional<PendingSignOn> waiting(RealmRequest request, String key, SignOn signOn, String browser) {
    return switch (partners.find(signOn.realm(), signOn.partner())) {
      case Result.Refused<SsoPartner, SamlRefusal> gone -> Optional.empty();
      case Result.Accepted(var partner) -> Optional.of(pending(request, key, signOn, partner, browser));
    };
  }

  /** @param browser hash of the browser's {@link dev.gatehouse.idp.authn.BrowserBinding} */
  PendingSignOn pending(RealmRequest request, String key, SignOn signOn, SsoPartner partner, String browser) {
    return new PendingSignOn(
        key,
        browser,
        partner.sp().displayName(),
        partner.wanted(signOn),
        resume(request, key),
        Optional.of(request.here("saml/cancel") + "?pending=" + key),
        Optional.empty(),
        List.of(),
        partner.sp().config().asServiceProvider().credentialRelease(),
        PartnerLinks.NONE);
  }

  /** The address at which a sign-on continues. We create the keys, so they need no escaping. */
  static String resume(RealmRequest request, String key) {
    return request.here("saml/sso") + "?pending=" + key;
  }
}
