package dev.gatehouse.sp.oidc;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.sp.edge.IdentityProviders;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.idtoken.OpenIdRefusal;
import dev.gatehouse.sp.idtoken.OpenIdRefusal.Reason;
import dev.gatehouse.sp.login.DiscoveryEndpoint;
import dev.gatehouse.sp.login.LoginEndpoint;
import dev.gatehouse.sp.login.PendingRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Tells people in our own words that a login at a provider failed, and how to continue. */
public final class OpenIdRefusals {

  private static final String MESSAGE = "authorization response";

  private final PartnerRegistry partners;
  private final Pages pages;
  private final Refusals refusals;

  public OpenIdRefusals(PartnerRegistry partners, Pages pages, Refusals refusals) {
    this.partners = partners;
    this.pages = pages;
    this.refusals = refusals;
  }

  /** Refuses with the generic text, if the person can do nothing about the cause. */
  EdgeReply refuse(SpRealm realm, EdgeRequest request, String issuer, OpenIdRefusal refusal) {
    return refusals.message(realm, request, issuer, MESSAGE, refusal.reason(), refusal.detail());
  }

  /** The provider reports that it did not log the person in. The login is still pending and may be repeated. */
  EdgeReply error(SpRealm realm, EdgeRequest request, PendingRequest pending, String error) {
    OpenIdRefusal refusal = new OpenIdRefusal(Reason.PROVIDER_ERROR, error);
    boolean hasChoice =
        realm.identityProviders().size() > 1 && pending.loginRequest().requirements(realm).identityProvider().isEmpty();
    return page(
        realm,
        request,
        pending.identityProvider(),
        kind(error),
        refusal,
        LoginEndpoint.again(pending.id()),
        hasChoice ? Optional.of(DiscoveryEndpoint.again(pending.id())) : Optional.empty());
  }

  /** The login failed after it was consumed: the person may begin another one. */
  EdgeReply afterwards(SpRealm realm, EdgeRequest request, PendingRequest pending, OpenIdRefusal refusal) {
    Optional<String> kind =
        switch (refusal.reason()) {
          case ACR -> Optional.of("no-authn-context");
          case PROVIDER_UNAVAILABLE -> Optional.of("not-fetched");
          default -> Optional.empty();
        };
    return kind.isEmpty()
        ? refuse(realm, request, pending.identityProvider(), refusal)
        : page(
            realm,
            request,
            pending.identityProvider(),
            kind.get(),
            refusal,
            LoginEndpoint.link(realm.home(), pending.loginRequest()),
            Optional.empty());
  }

  /** The pending request is lost, so that neither the person's target nor the provider is known any more. */
  EdgeReply lost(SpRealm realm, EdgeRequest request) {
    OpenIdRefusal refusal =
        new OpenIdRefusal(Reason.REQUEST_LOST, "it was too large for a cookie, and is no longer in memory");
    return page(realm, request, "-", "lost", refusal, "/", Optional.empty());
  }

  private EdgeReply page(
      SpRealm realm,
      EdgeRequest request,
      String issuer,
      String kind,
      OpenIdRefusal refusal,
      String again,
      Optional<String> other) {
    String reference = refusals.audited(realm, request, issuer, MESSAGE, refusal.reason(), refusal.detail());
    Map<String, Object> model = new LinkedHashMap<>();
    model.put("kind", kind);
    model.put("provider", IdentityProviders.name(partners, realm, issuer));
    model.put("reference", reference);
    model.put("again", again);
    model.put("other", other);
    return pages.render(request, Optional.of(realm.realm()), Page.of(403, "signon-refused", model));
  }

  /**
   * The kind of page for an error code of RFC 6749, section 4.1.2.1; OpenID Connect Core 3.1.2.6; Unmet Authentication
   * Requirements 1.0.
   */
  private static String kind(String error) {
    return switch (error) {
      case "login_required", "interaction_required", "consent_required", "account_selection_required" -> "no-passive";
      case "unmet_authentication_requirements" -> "no-authn-context";
      case "access_denied" -> "request-denied";
      case "server_error", "temporarily_unavailable" -> "other";
      default -> "not-understood";
    };
  }
}
