package dev.gatehouse.gateway.refusal;

import dev.gatehouse.common.audit.AuditEvent.AccessDenied;
import dev.gatehouse.common.audit.AuditEvent.Context;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.audit.AuditRateLimit;
import dev.gatehouse.common.audit.AuditUnavailable;
import dev.gatehouse.common.codec.JsonText;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.page.References;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.ResponseConfig.Maintenance;
import dev.gatehouse.common.refusal.FaultLog;
import dev.gatehouse.common.refusal.Outage;
import dev.gatehouse.common.refusal.RefusalTrace;
import dev.gatehouse.common.refusal.RefusalTraces;
import dev.gatehouse.gateway.accesslog.AccessEntry;
import dev.gatehouse.gateway.traffic.GatewayMetrics;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds the response to a refused request: records it in the audit log first if required, logs it once, and renders a
 * page with the reference id that both logs contain. Refusals above a rate limit are only counted ({@link AuditRateLimit}).
 * Blocks.
 */
public final class Refusals {

  private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

  /** The person's name if the person is unknown. */
  public static final String NOBODY = "-";

  private final Pages pages;
  private final AuditLog audit;
  private final AuditRateLimit rate;
  private final GatewayMetrics metrics;
  private final RandomGenerator random;
  private final RefusalTraces traces;
  private final InstantSource time;
  private final FaultLog faults = new FaultLog(LOG);

  public Refusals(
      Pages pages, AuditLog audit, AuditRateLimit rate, GatewayMetrics metrics, RandomGenerator random, RefusalTraces traces,
      InstantSource time) {
    this.pages = pages;
    this.audit = audit;
    this.rate = rate;
    this.metrics = metrics;
    this.random = random;
    this.traces = traces;
    this.time = time;
  }

  /** Refuses a request of which nothing was decided. */
  public EdgeReply reply(
      EdgeRequest request, Optional<Realm> realm, Refusal refusal, String person, AccessEntry entry) {
    return reply(request, realm, refusal, person, entry, RefusalContext.NONE);
  }

  /**
   * Refuses a request.
   *
   * @param person the refused person, or {@code -}
   * @param entry the request's entry in the access log
   * @param context for the trace
   */
  public EdgeReply reply(
      EdgeRequest request, Optional<Realm> realm, Refusal refusal, String person, AccessEntry entry, RefusalContext context) {
    String reference = reference(entry);
    entry.refused(refusal.reason());
    if (refusal.audited() && person.equals(NOBODY) && !rate.admits(request.client())) {
      metrics.countUnwritten();
      LOG.debug("[{}] {} {}: {}", reference, refusal.status(), request.method(), refusal.reason());
      return page(request, realm, refusal, reference);
    }
    Refusal sent = refusal;
    if (refusal.audited()) {
      String name = realm.map(Realm::name).orElse("-");
      try {
        Context event = Context.of(name, request.client()).withReference(reference);
        audit.record(new AccessDenied(event, person, refusal.route(), refusal.reason()));
      } catch (AuditUnavailable e) {
        faults.failed(named(reference, request, refusal.route()), e);
        sent = Refusal.unavailable(Outage.AUDIT, refusal.route());
      }
    }
    LOG.info("[{}] {} {} on route {}: {}", reference, sent.status(), request.method(), sent.route(), sent.reason());
    trace(reference, request, realm, sent, entry, context, person);
    return page(request, realm, sent, reference);
  }

  /** The response to a request that failed. */
  public EdgeReply fault(EdgeRequest request, Optional<Realm> realm, String route, Throwable fault, AccessEntry entry) {
    String reference = reference(entry);
    entry.refused("FAULT");
    faults.failed(named(reference, request, route), fault);
    Refusal refusal = Outage.of(fault).map(outage -> Refusal.unavailable(outage, route)).orElseGet(() -> Refusal.fault(route));
    trace(reference, request, realm, refusal, entry, RefusalContext.NONE, NOBODY);
    return page(request, realm, refusal, reference);
  }

  private static String named(String reference, EdgeRequest request, String route) {
    return "[" + reference + "] " + request.method() + " on route " + route;
  }

  private void trace(
      String reference, EdgeRequest request, Optional<Realm> realm, Refusal refusal, AccessEntry entry, RefusalContext context,
      String person) {
    try {
      traces.record(
          new RefusalTrace(
              reference, time.instant(), realm.map(Realm::name).orElse("-"),
              new RefusalTrace.Asked(
                  request.method(), request.origin().toString(), request.path(), request.client().getHostAddress(), refusal.route()),
              new RefusalTrace.Refused(refusal.status(), refusal.reason(), "-", "-", ""),
              context.subject(person), context.decided(), Optional.empty(), entry.upstream()));
    } catch (RuntimeException e) {
      // A rule that cannot be asked again must not cost the person the page.
      LOG.warn("[{}] the refusal has no trace", reference, e);
    }
  }

  private String reference(AccessEntry entry) {
    return entry.requestId().isEmpty() ? References.create(random) : entry.requestId();
  }

  private EdgeReply page(EdgeRequest request, Optional<Realm> realm, Refusal refusal, String reference) {
    EdgeReply page = plainPage(request, realm, refusal, reference);
    for (Headers.Field field : refusal.fields()) {
      page = page.with(field.name(), field.value());
    }
    return page;
  }

  /** The error page that an administrator configured. */
  private static Optional<String> customPage(Optional<Realm> realm, Refusal refusal) {
    Optional<String> ofMaintenance =
        refusal.page().equals(Refusal.MAINTENANCE)
            ? realm.stream()
                .flatMap(r -> r.gateway().routes().stream())
                .filter(route -> route.name().equals(refusal.route()))
                .findFirst()
                .flatMap(route -> route.response().maintenance())
                .flatMap(Maintenance::page)
            : Optional.empty();
    return ofMaintenance.isPresent()
        ? ofMaintenance
        : realm.flatMap(r -> r.gateway().errorPage(refusal.route(), refusal.status()));
  }

  private EdgeReply plainPage(EdgeRequest request, Optional<Realm> realm, Refusal refusal, String reference) {
    try {
      Optional<String> own = request.isNavigation() ? customPage(realm, refusal) : Optional.empty();
      if (own.isPresent()) {
        return CustomPage.fill(own.get(), refusal.status(), reference);
      }
      return pages.error(request, realm, refusal.status(), refusal.page(), reference);
    } catch (RuntimeException e) {
      LOG.error("[{}] the error page cannot be rendered", reference, e);
      return EdgeReply.json(refusal.status(), new JsonText().text("error", refusal.page()).text("reference", reference));
    }
  }
}
