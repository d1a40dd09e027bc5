package dev.gatehouse.gateway.node;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditEvent.AccessDenied;
import dev.gatehouse.common.audit.AuditEvent.AssertionAccepted;
import dev.gatehouse.common.audit.AuditEvent.AssertionIssued;
import dev.gatehouse.common.audit.AuditEvent.LoginRefused;
import dev.gatehouse.common.audit.AuditEvent.LoginSucceeded;
import dev.gatehouse.common.audit.AuditEvent.MessageRefused;
import dev.gatehouse.common.audit.AuditEvent.SecondFactorChanged;
import dev.gatehouse.common.audit.AuditEvent.SessionEnded;
import dev.gatehouse.common.audit.AuditEvent.TokensIssued;
import dev.gatehouse.common.metric.BoundedValues;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Counts what the audit log records, so that each login, token and refusal is counted in one place. No label names a person. */
final class AuditMetrics implements Consumer<AuditEvent> {

  /** More than there are reasons; some of them are words of a protocol. */
  private static final int MOST_REASONS = 500;

  private final MeterRegistry meters;

  /** By class of the event: looking a counter up costs more than counting. */
  private final Map<Class<?>, Counter> events = new ConcurrentHashMap<>();

  private final BoundedValues partners;
  private final BoundedValues reasons = new BoundedValues(MOST_REASONS);
  private final BoundedValues words = new BoundedValues(MOST_REASONS);

  /** @param most partners that have counts of their own */
  AuditMetrics(MeterRegistry meters, int most) {
    this.meters = meters;
    this.partners = new BoundedValues(most);
  }

  @Override
  public void accept(AuditEvent event) {
    events.computeIfAbsent(event.getClass(), this::events).increment();
    switch (event) {
      case LoginSucceeded login -> login(login.contract(), "succeeded", "-");
      case LoginRefused login -> login(login.contract(), "refused", reasons.of(login.reason()));
      case SecondFactorChanged factor ->
          Counter.builder("gatehouse.secondfactors.changes")
              .description("Changes of second factors")
              .tag("change", words.of(factor.change()))
              .register(meters)
              .increment();
      case TokensIssued tokens ->
          Counter.builder("gatehouse.tokens.issued")
              .description("Issues of tokens by grant")
              .tag("grant", words.of(tokens.grant()))
              .register(meters)
              .increment();
      case AssertionIssued issued -> assertion("issued", issued.partner());
      case AssertionAccepted accepted -> assertion("accepted", accepted.partner());
      case AccessDenied denied -> refusal("gateway", denied.reason());
      case MessageRefused refused -> refusal("message", refused.reason());
      case SessionEnded ended ->
          Counter.builder("gatehouse.sessions.ended")
              .description("Ended sessions by kind and cause")
              .tag("kind", words.of(ended.kind()))
              .tag("cause", words.of(ended.cause()))
              .register(meters)
              .increment();
      case AuditEvent other -> {
        // Counted by the kind of the event only.
      }
    }
  }

  private Counter events(Class<?> kind) {
    return Counter.builder("gatehouse.audit.events")
        .description("Events that the audit log recorded")
        .tag("event", kind.getSimpleName())
        .register(meters);
  }

  private void login(String method, String outcome, String reason) {
    Counter.builder("gatehouse.logins")
        .description("Logins by method and outcome")
        .tag("method", words.of(method))
        .tag("outcome", outcome)
        .tag("reason", reason)
        .register(meters)
        .increment();
  }

  private void assertion(String direction, String partner) {
    Counter.builder("gatehouse.sso.assertions")
        .description("Assertions issued to and accepted from partners")
        .tag("direction", direction)
        .tag("partner", partners.of(partner))
        .register(meters)
        .increment();
  }

  private void refusal(String source, String reason) {
    Counter.builder("gatehouse.refusals")
        .description("Refusals that the audit log recorded, by reason")
        .tag("source", source)
        .tag("reason", reasons.of(reason))
        .register(meters)
        .increment();
  }
}
