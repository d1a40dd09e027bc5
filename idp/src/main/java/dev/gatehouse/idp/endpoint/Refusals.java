package dev.gatehouse.idp.endpoint;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.page.References;
import dev.gatehouse.common.saml.SamlRefusal;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns a refusal into one generic page with a reference id, one audit event with the reason, and one log line. */
public final class Refusals {

  private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

  private static final int MOST_SHOWN = 300;

  private final Pages pages;
  private final AuditLog audit;
  private final RandomGenerator random;

  public Refusals(Pages pages, AuditLog audit, RandomGenerator random) {
    this.pages = pages;
    this.audit = audit;
    this.random = random;
  }

  /** A SAML message that was refused. @param partner its issuer as far as known, else {@code -} */
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
    return refuse(request, status, kind, partner, message, refusal.reason().name(), refusal.detail());
  }

  /** Anything else that was refused. @param kind the error page's key; @param reason for audit and log */
  public EdgeReply page(RealmRequest request, int status, String kind, String reason) {
    return refuse(request, status, kind, "-", request.http().method() + " " + request.http().path(), reason, "");
  }

  /** Records a refusal that is not answered by a page; returns the reference to show. */
  public String audited(RealmRequest request, String partner, String message, SamlRefusal refusal) {
    return audited(request, partner, message, refusal.reason().name(), refusal.detail());
  }

  private EdgeReply refuse(
      RealmRequest request, int status, String kind, String partner, String message, String reason, String detail) {
    String reference = audited(request, partner, message, reason, detail);
    return pages.error(request.http(), Optional.of(request.realm()), status, kind, reference);
  }

  private String audited(RealmRequest request, String partner, String message, String reason, String detail) {
    String reference = References.create(random);
    audit.record(
        new AuditEvent.MessageRefused(request.context().withReference(reference), partner, message, reason));
    LOG.info("refused {} from {}: {} {} (reference {})", message, printable(partner), reason, printable(detail), reference);
    return reference;
  }

  /** Part of it comes from whoever sent the request: nothing that begins a line of its own, turns one around or fills the log. */
  static String printable(String text) {
    String shown = text.length() > MOST_SHOWN ? text.substring(0, MOST_SHOWN) + "…" : text;
    return shown.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", "?");
  }
}
