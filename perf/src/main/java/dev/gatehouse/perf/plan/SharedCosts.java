package dev.gatehouse.perf.plan;

import dev.gatehouse.common.valkey.ValkeyStores;
import dev.gatehouse.perf.harness.Report;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What shared storage costs, and how far the plan was from measurements: the content of {@code perf/results/plan-points.json}, which
 * whoever runs {@code bench nodes} fills in. Nothing is measured before.
 *
 * @param login CPU of our processes for a login with shared storage, in that with embedded storage
 * @param page the same for a protected page
 * @param valkeyBytes bytes in Valkey for a session at the identity provider and its session at the gateway
 * @param valkeyCpu CPU seconds of Valkey for a login
 * @param postgresCpu CPU seconds of PostgreSQL for a login
 * @param near what sessions take that nodes keep near
 */
record SharedCosts(Figure login, Figure page, Figure valkeyBytes, Figure valkeyCpu, Figure postgresCpu, NearCosts near,
    List<Point> points) {

  /** How many points the plan is to be checked with. */
  static final int WANTED_POINTS = 3;

  /** A figure, and whether it is measured or what we aim at. */
  record Figure(double value, boolean measured) {}

  /** A load that was measured, and what our processes used under it. */
  record Point(
      String command, String commit, double logins, double hits, double sessions, double idpCpu, double gatewayCpu, boolean cached) {}

  /** The file. A missing key is not measured. */
  private record Content(
      @Nullable Double login,
      @Nullable Double page,
      @Nullable Double valkeyBytes,
      @Nullable Double valkeyCpu,
      @Nullable Double postgresCpu,
      @Nullable List<Point> points) {}

  /** Reads the file in a folder of results; without it nothing is measured. */
  static SharedCosts read(Path results) {
    Path file = results.resolve("plan-points.json");
    try {
      Content content =
          Files.isRegularFile(file)
              ? Report.JSON.readValue(Files.readString(file), Content.class)
              : new Content(null, null, null, null, null, null);
      return new SharedCosts(
          // "0.7 of embedded" for SAML sign-on, "0.97" for a page from a near cache, "1,200 bytes": the aims of this work.
          figure(content.login, 1 / 0.7), figure(content.page, 1 / 0.97), figure(content.valkeyBytes, 1200), figure(content.valkeyCpu, 0),
          figure(content.postgresCpu, 0), NearCosts.read(results, ValkeyStores.MOST_NEAR), content.points == null ? List.of() : List.copyOf(content.points));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Figure figure(@Nullable Double measured, double aim) {
    return measured == null ? new Figure(aim, false) : new Figure(measured, true);
  }
}
