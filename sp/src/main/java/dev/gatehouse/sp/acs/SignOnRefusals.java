package dev.gatehouse.sp.acs;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.registry.Partner;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.login.DiscoveryEndpoint;
import dev.gatehouse.sp.login.LoginEndpoint;
import dev.gatehouse.sp.login.PendingRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Tells people why a login failed, as far as the identity provider's Status says it (SAML Core 3.2.2.2), and how to
 * continue. Uses only facts of a verified Response, in our own words.
 */
public final class SignOnRefusals {

  /**
   * The ways in which the person may try again.
   *
   * @param requestId the request that this browser may hold; empty if it was consumed or the login was unsolicited
   * @param hasChoice whether another identity provider is acceptable
   */
  record Again(Optional<String> requestId, boolean hasChoice) {

    /** The person may only begin again at the page that they wanted. */
    static final Again ELSEWHERE = new Again(Optional.empty(), false);

    static Again of(SpRealm realm, PendingRequest pending) {
      return new Again(Optional.of(pending.id()), pending.loginRequest().requirements(realm).identityProvider().isEmpty());
    }
  }

  private final PartnerRegistry partners;
  private final Pages pages;
  private final Refusals refusals;

  public SignOnRefusals(PartnerRegistry partners, Pages pages, Refusals refusals) {
    this.partners = partners;
    this.pages = pages;
    this.refusals = refusals;
  }

  /** The identity provider answered with this Status. */
  EdgeReply status(
      SpRealm realm,
      EdgeRequest request,
      String identityProvider,
      SamlStatus status,
      Again again,
      SamlRefusal refusal) {
    return page(realm, request, identityProvider, kind(status), again, refusal);
  }

  /** The identity provider logged the person in, but with a weaker method than requested. */
  EdgeReply tooWeak(
      SpRealm realm,
      EdgeRequest request,
      String identityProvider,
      Again again,
      SamlRefusal refusal) {
    return page(realm, request, identityProvider, "no-authn-context", again, refusal);
  }

  /** Returns whether the refusal means that no account here belongs to the person. */
  static boolean isOfLinks(SamlRefusal refusal) {
    return switch (refusal.reason()) {
      case LINK_NAME_ID, LINK_NO_MATCH, LINK_ACCOUNT_TAKEN, LINK_ACCOUNT_GONE -> true;
      default -> false;
    };
  }

  /** The identity provider logged the person in, but no account here belongs to the person. */
  EdgeReply notLinked(
      SpRealm realm,
      EdgeRequest request,
      String identityProvider,
      Again again,
      SamlRefusal refusal) {
    String kind =
        switch (refusal.reason()) {
          case LINK_NAME_ID -> "name-id";
          case LINK_ACCOUNT_TAKEN -> "link-taken";
          case LINK_ACCOUNT_GONE -> "link-gone";
          default -> "link-no-match";
        };
    return page(realm, request, identityProvider, kind, again, refusal);
  }

  /** The identity provider did not hand out the Response. */
  EdgeReply notFetched(
      SpRealm realm, EdgeRequest request, String identityProvider, Again again, SamlRefusal refusal) {
    return page(realm, request, identityProvider, "not-fetched", again, refusal);
  }

  /** The pending request is lost, so that the person's target is not known any more. */
  EdgeReply lost(SpRealm realm, EdgeRequest request, String identityProvider) {
    SamlRefusal refusal = new SamlRefusal(Reason.REQUEST_LOST, "it was too large for a cookie, and is no longer in memory");
    return page(realm, request, identityProvider, "lost", Again.ELSEWHERE, refusal);
  }

  private EdgeReply page(
      SpRealm realm,
      EdgeRequest request,
      String identityProvider,
      String kind,
      Again again,
      SamlRefusal refusal) {
    String reference = refusals.audited(realm, request, identityProvider, "Response", refusal);
    Map<String, Object> model = new LinkedHashMap<>();
    model.put("kind", kind);
    model.put("provider", partners.find(realm.name(), identityProvider).map(Partner::displayName).orElse(identityProvider));
    model.put("reference", reference);
    model.put("again", again.requestId().map(LoginEndpoint::again).orElse("/"));
    boolean hasChoice = realm.identityProviders().size() > 1 && again.hasChoice();
    model.put("other", hasChoice ? again.requestId().map(DiscoveryEndpoint::again) : Optional.empty());
    return pages.render(request, Optional.of(realm.realm()), Page.of(403, "signon-refused", model));
  }

  private static String kind(SamlStatus status) {
    return switch (status.subCode().orElse("")) {
      case SamlStatus.NO_PASSIVE -> "no-passive";
      case SamlStatus.NO_AUTHN_CONTEXT -> "no-authn-context";
      case SamlStatus.AUTHN_FAILED -> "authn-failed";
      case SamlStatus.REQUEST_DENIED -> "request-denied";
      case SamlStatus.INVALID_NAMEID_POLICY -> "name-id";
      case SamlStatus.UNKNOWN_PRINCIPAL -> "unknown-principal";
      default -> status.code().equals(SamlStatus.REQUESTER) ? "not-understood" : "other";
    };
  }
}
