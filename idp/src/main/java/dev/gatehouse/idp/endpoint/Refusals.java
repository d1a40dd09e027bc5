package dev.gatehouse.idp.endpoint;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.SamlStatus;
import java.util.Optional;

/** Turns a refusal into one generic page with a reference ID. The audit log and the log contain the reason. */
public final class Refusals {

  private final Pages pages;
  private final RefusalLog log;

  public Refusals(Pages pages, RefusalLog log) {
    this.pages = pages;
    this.log = log;
  }

  /**
   * Refuses a SAML message.
   *
   * @param partner its issuer if known, else {@code -}
   */
  public EdgeReply message(RealmRequest request, String partner, String message, SamlRefusal refusal) {
    String kind =
        switch (refusal.reason()) {
          case PARTNER_UNKNOWN -> "partner-unknown";
          case PARTNER_METADATA_UNAVAILABLE -> "partner-unavailable";
          case BACK_CHANNEL_FAILED -> "partner-silent";
          case REPLAYED -> "already-used";
          case EXPIRED -> "expired";
          default -> "message-refused";
        };
    int status =
        switch (refusal.reason()) {
          case PARTNER_METADATA_UNAVAILABLE -> 503;
          case BACK_CHANNEL_FAILED -> 502;
          default -> 400;
        };
    return refuse(request, status, kind, known(partner, refusal), message, refusal.reason().name(), refusal.detail());
  }

  /** A claimed Issuer is better than none: an administrator who searches for a partner's failed logins finds them. */
  private static String known(String partner, SamlRefusal refusal) {
    return partner.equals("-") ? refusal.issuer().orElse(partner) : partner;
  }

  /**
   * Refuses any other request.
   *
   * @param kind the error page's key
   * @param reason for audit and log
   */
  public EdgeReply page(RealmRequest request, int status, String kind, String reason) {
    return refuse(request, status, kind, "-", message(request), reason, "");
  }

  /**
   * Refuses a request of which another event was written, or was not.
   *
   * @param isAdmitted whether it was: the page's reference is found then, too
   */
  public EdgeReply decided(RealmRequest request, int status, String kind, String reason, boolean isAdmitted) {
    String reference =
        isAdmitted
            ? log.recordAdmitted(request.realm().name(), request.http().client(), "-", message(request), reason, "")
            : log.reference();
    return pages.error(request.http(), Optional.of(request.realm()), status, kind, reference);
  }

  private static String message(RealmRequest request) {
    return request.http().method() + " " + request.http().path();
  }

  /** Records a refusal that is not answered by a page. Returns the reference to show. */
  public String audited(RealmRequest request, String partner, String message, SamlRefusal refusal) {
    return audited(request, known(partner, refusal), message, refusal.reason().name(), refusal.detail());
  }

  /** Records that a partner's request was answered only with a status, under the status name of SAML Core 3.2.2.2. */
  public void answered(RealmRequest request, String partner, String message, SamlStatus status) {
    String uri = status.subCode().orElse(status.code());
    audited(request, partner, message, uri.substring(uri.lastIndexOf(':') + 1), status.message().orElse(""));
  }

  /**
   * Refuses an OAuth client's request that cannot be answered to the client. The page shows the reason in one word.
   *
   * @param clientId if known, else {@code -}
   */
  public EdgeReply client(RealmRequest request, String clientId, String message, String reason, String detail) {
    String kind = reason.equals("CLIENT_UNKNOWN") ? "client-unknown" : "request-refused";
    String reference = audited(request, clientId, message, reason, detail);
    return pages.error(request.http(), Optional.of(request.realm()), 400, kind, reference, reason);
  }

  /** Records that a client's request was answered with an error. */
  public void clientAnswered(RealmRequest request, String clientId, String message, String error, String detail) {
    audited(request, clientId, message, error, detail);
  }

  private EdgeReply refuse(
      RealmRequest request, int status, String kind, String partner, String message, String reason, String detail) {
    String reference = audited(request, partner, message, reason, detail);
    return pages.error(request.http(), Optional.of(request.realm()), status, kind, reference);
  }

  private String audited(RealmRequest request, String partner, String message, String reason, String detail) {
    return log.record(request.realm().name(), request.http().client(), partner, message, reason, detail);
  }
}
