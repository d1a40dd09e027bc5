package dev.gatehouse.sp.edge;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.refusal.RefusalTrace;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns refusals into pages. People see one generic text with a reference; the audit log contains the reason. */
public final class Refusals {

  private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

  private final Pages pages;
  private final RefusalLog log;

  public Refusals(Pages pages, RefusalLog log) {
    this.pages = pages;
    this.log = log;
  }

  /**
   * Refuses a partner's message.
   *
   * @param partner the Issuer if it is known, else {@code -}
   * @param message the message's name, for example {@code Response}
   */
  public EdgeReply message(
      SpRealm realm, EdgeRequest request, String partner, String message, SamlRefusal refusal) {
    String reference = audited(realm, request, partner, message, refusal);
    return pages.error(request, Optional.of(realm.realm()), status(refusal.reason()), "message-refused", reference);
  }

  /**
   * Refuses the Response of a login.
   *
   * @param assertion for the trace of the refusal
   */
  public EdgeReply response(
      SpRealm realm, EdgeRequest request, String partner, SamlRefusal refusal, Optional<RefusalTrace.Assertion> assertion) {
    String reference =
        log.record(
            realm.name(), request.client(), known(partner, refusal), "Response", refusal.reason().name(), refusal.detail(),
            assertion);
    return pages.error(request, Optional.of(realm.realm()), status(refusal.reason()), "message-refused", reference);
  }

  /** Records a refusal for a caller that has its own page. Returns the reference to show. */
  public String audited(SpRealm realm, EdgeRequest request, String partner, String message, SamlRefusal refusal) {
    return log.record(
        realm.name(), request.client(), known(partner, refusal), message, refusal.reason().name(), refusal.detail());
  }

  /** A claimed Issuer is better than none: an administrator who searches for a partner's failed logins finds them. */
  private static String known(String partner, SamlRefusal refusal) {
    return partner.equals("-") ? refusal.issuer().orElse(partner) : partner;
  }

  /**
   * Like {@link #message}, for messages other than SAML; status 403.
   *
   * @param reason from a closed list
   */
  public EdgeReply message(
      SpRealm realm, EdgeRequest request, String partner, String message, Enum<?> reason, String detail) {
    String reference = audited(realm, request, partner, message, reason, detail);
    return pages.error(request, Optional.of(realm.realm()), 403, "message-refused", reference);
  }

  /** Like {@link #audited(SpRealm, EdgeRequest, String, String, SamlRefusal)}, for messages other than SAML. */
  public String audited(
      SpRealm realm, EdgeRequest request, String partner, String message, Enum<?> reason, String detail) {
    return log.record(realm.name(), request.client(), partner, message, reason.name(), detail);
  }

  /** Logs why we could not send a message of our own, other than SAML. */
  public void log(String message, String partner, String problem) {
    LOG.warn("Could not send a {} to {}: {}", message, partner, RefusalLog.printable(problem));
  }

  /** Logs why we could not send a SAML message of our own. */
  public void log(String message, SamlRefusal refusal) {
    LOG.warn("Could not send a {}: {} ({})", message, refusal.reason(), RefusalLog.printable(refusal.detail()));
  }

  /** An error page without a partner's message as its cause, for example 404. */
  public EdgeReply page(SpRealm realm, EdgeRequest request, int status, String kind) {
    String reference = log.page(realm.name(), request, status, kind);
    return pages.error(request, Optional.of(realm.realm()), status, kind, reference);
  }

  /**
   * Refuses because the store of waiting entries is full, and states when to retry.
   *
   * @param status 429 or 503
   */
  public EdgeReply tooManyWaiting(SpRealm realm, EdgeRequest request, int status, Duration retryAfter) {
    return page(realm, request, status, "too-many-waiting")
        .with("Retry-After", Long.toString(Math.max(1, retryAfter.toSeconds())));
  }

  /** A service that we depend on does not answer. Logs the problem with the reference that the person sees. */
  public EdgeReply unavailable(SpRealm realm, EdgeRequest request, String kind, RuntimeException cause) {
    String reference = log.page(realm.name(), request, 503, kind);
    LOG.warn("{}: {}, reference {}", kind, RefusalLog.printable(String.valueOf(cause.getMessage())), reference);
    return pages.error(request, Optional.of(realm.realm()), 503, kind, reference);
  }

  public EdgeReply notFound(SpRealm realm, EdgeRequest request) {
    return page(realm, request, 404, "not-found");
  }

  public EdgeReply methodNotAllowed(SpRealm realm, EdgeRequest request, String allow) {
    return page(realm, request, 405, "method-not-allowed").with("Allow", allow);
  }

  /** Returns 400 for messages that cannot be read, 403 for messages that are read but not acceptable. */
  public static int status(Reason reason) {
    return reason.compareTo(Reason.ISSUER_MISSING) <= 0 ? 400 : 403;
  }
}
