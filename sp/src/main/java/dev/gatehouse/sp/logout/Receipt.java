package dev.gatehouse.sp.logout;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.logout.LogoutDeliveryResult;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.sp.edge.IdentityProviders;
import dev.gatehouse.sp.edge.SpRealm;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The page that tells a person the result of the logout. */
public final class Receipt {

  /** The known result at the identity provider. */
  public enum Outcome {
    /** The identity provider reports that everything ended. */
    DONE,
    /** It ended its own session, but could not reach every participant (SAML Core 3.7.3.2, PartialLogout). */
    PARTIAL,
    /** The identity provider answered with another status. */
    FAILED,
    /** The identity provider refused the request from server to server; the request will be repeated. */
    FAILED_RETRIED,
    /** The identity provider was unreachable from server to server; the request will be repeated. */
    UNREACHABLE,
    /** The identity provider offers no logout, or cannot be asked now: the person may still be logged in there. */
    NOT_ASKED,
    /** There was no session here. */
    NOT_LOGGED_IN;

    static Outcome of(SamlStatus status) {
      if (status.subCode().filter(SamlStatus.PARTIAL_LOGOUT::equals).isPresent()) {
        return PARTIAL;
      }
      return status.isSuccess() ? DONE : FAILED;
    }

    static Outcome of(LogoutDeliveryResult result) {
      return switch (result) {
        case LogoutDeliveryResult.Done done -> DONE;
        case LogoutDeliveryResult.Partial partial -> PARTIAL;
        case LogoutDeliveryResult.Failed failed -> FAILED_RETRIED;
        case LogoutDeliveryResult.Unreachable unreachable -> UNREACHABLE;
        case LogoutDeliveryResult.Impossible impossible -> NOT_ASKED;
      };
    }
  }

  private final Pages pages;
  private final PartnerRegistry partners;

  public Receipt(Pages pages, PartnerRegistry partners) {
    this.pages = pages;
    this.partners = partners;
  }

  /** @param back the target of the link */
  public EdgeReply show(SpRealm realm, EdgeRequest request, Outcome outcome, String identityProvider, String back) {
    String name = IdentityProviders.name(partners, realm, identityProvider);
    Map<String, Object> model =
        Map.of(
            "outcome", outcome.name().toLowerCase(Locale.ROOT).replace('_', '-'),
            "identityProvider", name);
    return pages.render(request, Optional.of(realm.realm()), Page.of(200, "logout-receipt", model), Map.of("back", back));
  }
}
