package dev.gatehouse.perf.plan;

import dev.gatehouse.perf.harness.Report;
import dev.gatehouse.perf.plan.SharedCosts.Point;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes what was measured of shared storage to {@code plan-points.json}; what was not measured now stays as it is. */
public final class PlanPoints {

  private final Path file;
  private final ObjectNode content;

  private PlanPoints(Path file, ObjectNode content) {
    this.file = file;
    this.content = content;
  }

  /** Reads the file of a folder of results, if it exists. */
  public static PlanPoints of(Path results) throws IOException {
    Path file = results.resolve("plan-points.json");
    boolean exists = Files.isRegularFile(file);
    ObjectNode content =
        exists ? (ObjectNode) Report.JSON.readTree(Files.readString(file)) : Report.JSON.createObjectNode();
    return new PlanPoints(file, content);
  }

  /** Sets measured costs: {@code login}, {@code page}, {@code valkeyBytes}, {@code valkeyCpu}, {@code postgresCpu}. */
  public PlanPoints costs(Map<String, Double> costs) {
    costs.forEach((name, value) -> content.put(name, value));
    return this;
  }

  /**
   * Adds a point in place of the one of the same command.
   *
   * @param logins in a second
   * @param hits in a second, from the gateway's memory
   * @param idpCpu CPU seconds in a second
   * @param gatewayCpu the same of the gateways
   */
  public PlanPoints point(String command, String commit, double logins, double hits, double idpCpu, double gatewayCpu) {
    ArrayNode kept = Report.JSON.createArrayNode();
    content.path("points").forEach(
        point -> {
          if (!point.path("command").asString("").equals(command)) {
            kept.add(point);
          }
        });
    kept.add(Report.JSON.valueToTree(new Point(command, commit, logins, hits, 0, idpCpu, gatewayCpu, hits > 0)));
    content.set("points", kept);
    return this;
  }

  /** Writes the file. */
  public void write() throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, Report.JSON.writeValueAsString(content) + "\n");
  }

  /** Measured points beside what the formulas of {@code bench plan} say of them, as Markdown. */
  public static String checked(Path results) {
    Wish nothing = new Wish(0, 0, 0, 0, true, new Wish.Nodes(1, 1, 0), Wish.Storage.SHARED);
    Costs costs = Costs.read(results);
    SharedCosts shared = SharedCosts.read(results);
    return new PlanReport(nothing, costs, shared, Plan.of(nothing, costs, shared)).points();
  }
}
