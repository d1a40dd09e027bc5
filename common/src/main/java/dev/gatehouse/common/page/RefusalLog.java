package dev.gatehouse.common.page;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.audit.AuditRateLimit;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.refusal.RefusalTrace;
import dev.gatehouse.common.refusal.RefusalTraces;
import io.micrometer.core.instrument.Counter;
import java.net.InetAddress;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records refused messages and requests: one audit event with the reason, one log line, and the reference that finds both. Anybody
 * may send them endlessly, so those beyond the rate of {@link AuditRateLimit} are only counted.
 */
public final class RefusalLog {

  private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);

  private static final int MAX_SHOWN = 300;

  private final AuditLog audit;
  private final AuditRateLimit rate;
  private final Counter unwritten;
  private final RandomGenerator random;
  private final RefusalTraces traces;
  private final InstantSource time;

  /** Creates a log that keeps no traces. */
  public RefusalLog(AuditLog audit, AuditRateLimit rate, Counter unwritten, RandomGenerator random) {
    this(audit, rate, unwritten, random, RefusalTraces.NONE, InstantSource.system());
  }

  /** @param unwritten counts refusals that were not recorded */
  public RefusalLog(
      AuditLog audit, AuditRateLimit rate, Counter unwritten, RandomGenerator random, RefusalTraces traces, InstantSource time) {
    this.audit = audit;
    this.rate = rate;
    this.unwritten = unwritten;
    this.random = random;
    this.traces = traces;
    this.time = time;
  }

  /**
   * Records a refusal; throws {@link dev.gatehouse.common.audit.AuditUnavailable}.
   *
   * @param partner the Issuer as far as it is known, else {@code -}
   * @param message the refused message, for example {@code AuthnRequest}
   * @param reason from a closed list, for audit and log
   * @param detail for the log only; may be empty
   * @return the reference to show
   */
  public String record(
      String realm, InetAddress client, String partner, String message, String reason, String detail) {
    return record(realm, client, partner, message, reason, detail, Optional.empty());
  }

  /**
   * Records a refusal of a login; throws {@link dev.gatehouse.common.audit.AuditUnavailable}.
   *
   * @param assertion is kept in the trace only
   * @return the reference to show
   */
  public String record(
      String realm, InetAddress client, String partner, String message, String reason, String detail,
      Optional<RefusalTrace.Assertion> assertion) {
    String reference = reference();
    if (admits(client)) {
      write(reference, realm, client, partner, message, reason, detail, assertion);
    }
    return reference;
  }

  /**
   * Records a refusal that {@code admits} has let in together with another event about it, so that both are there or neither; throws
   * {@link dev.gatehouse.common.audit.AuditUnavailable}.
   *
   * @return the reference to show
   */
  public String recordAdmitted(String realm, InetAddress client, String partner, String message, String reason, String detail) {
    String reference = reference();
    write(reference, realm, client, partner, message, reason, detail, Optional.empty());
    return reference;
  }

  private void write(
      String reference, String realm, InetAddress client, String partner, String message, String reason, String detail,
      Optional<RefusalTrace.Assertion> assertion) {
    AuditEvent.Context context = AuditEvent.Context.of(realm, client).withReference(reference);
    audit.record(new AuditEvent.MessageRefused(context, partner, message, reason));
    LOG.info(
        "refused {} from {}: {} {} (reference {})", message, printable(partner), reason, printable(detail), reference);
    var asked = new RefusalTrace.Asked("-", "", "", client.getHostAddress(), "-");
    var refused = new RefusalTrace.Refused(0, reason, message, partner, detail);
    traces.record(trace(reference, realm, asked, refused, assertion));
  }

  /** Returns whether an event is written for a refusal that costs a stranger nothing; counts it otherwise. */
  public boolean admits(InetAddress client) {
    return counted(rate.admits(client));
  }

  /** The same of somebody known, as in {@link AuditRateLimit#admits(String, String)}: strangers cannot use up what is left for them. */
  public boolean admits(String realm, String name) {
    return counted(rate.admits(realm, name));
  }

  private boolean counted(boolean isAdmitted) {
    if (!isAdmitted) {
      unwritten.increment();
    }
    return isAdmitted;
  }

  /**
   * Keeps a trace of an error page that is worth no audit event.
   *
   * @param kind of the page
   * @return the reference to show
   */
  public String page(String realm, EdgeRequest request, int status, String kind) {
    String reference = reference();
    var asked =
        new RefusalTrace.Asked(
            request.method(), request.origin().toString(), request.path(), request.client().getHostAddress(), "-");
    var refused = new RefusalTrace.Refused(status, kind, "-", "-", "");
    traces.record(trace(reference, realm, asked, refused, Optional.empty()));
    return reference;
  }

  private RefusalTrace trace(
      String reference, String realm, RefusalTrace.Asked asked, RefusalTrace.Refused refused, Optional<RefusalTrace.Assertion> assertion) {
    return new RefusalTrace(
        reference, time.instant(), realm, asked, refused, Optional.empty(), Optional.empty(), assertion, Optional.empty());
  }

  /** Creates a reference for a refusal that needs no audit event. */
  public String reference() {
    return References.create(random);
  }

  /** Makes text of a request safe for logs: no new lines, no change of text direction, bounded length. */
  public static String printable(String text) {
    String shown = text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "…" : text;
    return shown.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", "?");
  }
}
