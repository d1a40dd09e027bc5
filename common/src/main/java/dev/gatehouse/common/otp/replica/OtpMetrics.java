package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.metric.SampleFamily;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Metrics of a server of one-time passwords. */
public final class OtpMetrics {

  private OtpMetrics() {}

  /** A value that is read when it is asked for. */
  private interface Value {
    double get();
  }

  /** Publishes them. */
  public static void publish(OtpServer server, MetricFamilies metrics) {
    SampleFamily.builder("gatehouse.otp.epoch")
        .description("The epoch of the primary of one-time passwords")
        .gauge(value(server, () -> server.primary().epoch()))
        .register(metrics);
    SampleFamily.builder("gatehouse.otp.serving")
        .description("1 if this server checks one-time passwords")
        .gauge(value(server, () -> server.problem().isEmpty() ? 1 : 0))
        .register(metrics);
    SampleFamily.builder("gatehouse.otp.uses.waiting")
        .description("Uses of tokens that the primary does not have yet")
        .gauge(value(server, () -> server.uses().waiting()))
        .register(metrics);
    SampleFamily.builder("gatehouse.otp.marks.waiting")
        .description("Marks of used codes that the other servers do not have yet")
        .gauge(value(server, () -> server.isolation().waiting()))
        .register(metrics);
    SampleFamily.builder("gatehouse.otp.log.kept")
        .description("Bytes of PostgreSQL's log that the primary keeps for a replica that has not read them")
        .gauge(value(server, server::retained))
        .register(metrics);
    SampleFamily.builder("gatehouse.otp.codes.twice")
        .description("Codes that were found to have counted at two servers")
        .counter(() -> Map.of(List.of(), (double) server.isolation().countedTwice()))
        .register(metrics);
  }

  /** Nothing is told while the own database is away. */
  private static Supplier<Map<List<String>, Double>> value(OtpServer server, Value value) {
    return () -> server.isOwnAway() ? Map.of() : Map.of(List.of(), value.get());
  }
}
