package dev.gatehouse.perf.plan;

import dev.gatehouse.perf.harness.Report;
import dev.gatehouse.perf.plan.SharedCosts.Figure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * What sessions of shared storage take that a node keeps near: the content of {@code perf/results/near.json}, which
 * {@code bench sessions --near} writes. Nothing is measured before.
 *
 * @param most how many a node keeps whose heap has room for them
 * @param idpBytes memory of one at the identity provider
 * @param appBytes memory of one at the gateway
 * @param miss CPU seconds of a gateway to read one that is not near, beyond finding one that is
 * @param valkeyMiss CPU seconds of Valkey for that
 * @param points more sessions than are kept, of which any is found
 */
record NearCosts(double most, Figure idpBytes, Figure appBytes, Figure miss, Figure valkeyMiss, List<Point> points) {

  private static final Figure UNKNOWN = new Figure(0, false);
  private static final double MICRO = 1e-6;

  /** A number of sessions that was measured. */
  record Point(String kind, double sessions, double bytes, double missShare, double bytesEach) {}

  /** Reads the file in a folder of results; without it nothing is measured. */
  static NearCosts read(Path results, double most) {
    Path file = results.resolve("near.json");
    if (!Files.isRegularFile(file)) {
      return new NearCosts(most, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, List.of());
    }
    try {
      JsonNode details = Report.JSON.readTree(Files.readString(file)).path("details");
      List<Point> points = new ArrayList<>();
      for (JsonNode each : details) {
        points.add(
            new Point(
                each.path("kind").asString(""), each.path("sessions").asDouble(0), each.path("bytes").asDouble(0),
                each.path("missShare").asDouble(0), each.path("bytesEach").asDouble(0)));
      }
      JsonNode idp = of(details, "identity provider");
      JsonNode app = of(details, "gateway");
      return new NearCosts(
          most, measured(idp.path("bytesEach").asDouble(0)), measured(app.path("bytesEach").asDouble(0)),
          measured(MICRO * (app.path("missMicros").asDouble(0) - app.path("hitMicros").asDouble(0))),
          measured(MICRO * app.path("valkeyMissMicros").asDouble(0)), List.copyOf(points));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode of(JsonNode details, String kind) {
    for (JsonNode each : details) {
      if (each.path("kind").asString("").equals(kind)) {
        return each;
      }
    }
    throw new IllegalArgumentException("near.json has no \"" + kind + "\"");
  }

  private static Figure measured(double value) {
    return new Figure(value, true);
  }

  /** Returns how many of so many sessions a node keeps near, if it serves them all. */
  double kept(double sessions) {
    return Math.min(sessions, most);
  }

  /** Returns the share of requests whose session is not near, if any session is asked for as often as any other. */
  double missShare(double sessions) {
    return sessions <= most ? 0 : 1 - most / sessions;
  }
}
