package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.metric.SampleFamily;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Metrics of a server of one-time passwords. */
public final class OtpMetrics {

  private OtpMetrics() {}

  /** Publishes them. */
  public static void publish(OtpServer server, MetricFamilies metrics) {
    gauge(metrics, server, "gatehouse.otp.epoch", "The epoch of the primary of one-time passwords", one -> one.primary().epoch());
    gauge(metrics, server, "gatehouse.otp.serving", "1 if this server checks one-time passwords", one -> one.problem().isEmpty() ? 1 : 0);
    gauge(metrics, server, "gatehouse.otp.uses.waiting", "Uses of tokens that the primary does not have yet", one -> one.uses().waiting());
    gauge(
        metrics, server, "gatehouse.otp.marks.waiting", "Marks of used codes that the other servers do not have yet",
        one -> one.isolation().waiting());
    SampleFamily.builder("gatehouse.otp.codes.twice")
        .description("Codes that were found to have counted at two servers")
        .counter(() -> Map.of(List.of(), (double) server.isolation().countedTwice()))
        .register(metrics);
  }

  private static void gauge(
      MetricFamilies metrics, OtpServer server, String name, String description, ToDoubleFunction<OtpServer> value) {
    SampleFamily.builder(name)
        .description(description)
        .gauge(() -> server.isOwnAway() ? Map.of() : Map.of(List.of(), value.applyAsDouble(server)))
        .register(metrics);
  }
}
