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

/** Tells people that a login at a provider did not come about, in our words, and how to go on. */
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

  /** What nobody can do anything about: the generic text. */
  EdgeReply refuse(SpRealm realm, EdgeRequest request, String issuer, OpenIdRefusal refusal) {
    return refusals.message(realm, request, issuer, MESSAGE, refusal.reason(), refusal.detail());
  }

  /** The provider says that it did not log the person in; the login still waits, and may be tried again. */
  EdgeReply error(SpRealm realm, EdgeRequest request, PendingRequest pending, String error) {
    OpenIdRefusal refusal = new OpenIdRefusal(Reason.PROVIDER_ERROR, error);
    boolean hasChoice =
        realm.identityProviders().size() > 1 && pending.wish().need(realm).identityProvider().isEmpty();
    return page(
        realm,
        request,
        pending.identityProvider(),
        kind(error),
        refusal,
        LoginEndpoint.again(pending.id()),
        hasChoice ? Optional.of(DiscoveryEndpoint.again(pending.id())) : Optional.empty());
  }

  /** The login was consumed and failed then: another one may begin. */
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
            LoginEndpoint.link(realm.home(), pending.wish()),
            Optional.empty());
  }

  /** What the person wanted, and of whom, is not known any more. */
  EdgeReply lost(SpRealm realm, EdgeRequest request) {
    OpenIdRefusal refusal =
        new OpenIdRefusal(Reason.REQUEST_LOST, "it was too large for a cookie, and is in memory no more");
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

  /** RFC 6749, section 4.1.2.1; OpenID Connect Core 3.1.2.6; Unmet Authentication Requirements 1.0. */
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
