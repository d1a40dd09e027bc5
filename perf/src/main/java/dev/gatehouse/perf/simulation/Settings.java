package dev.gatehouse.perf.simulation;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** The settings that the harness passes to a simulation as system properties of the load generator's process. */
public record Settings(int users, int seconds, int people, Path out) {

  /** The file for the simulation's results. */
  static final String OUT = "bench.out";

  static final String SECONDS = "bench.seconds";

  static Settings read() {
    return new Settings(
        Integer.parseInt(get("users")), Integer.parseInt(get("seconds")), Integer.parseInt(get("people")),
        Path.of(get("out")));
  }

  /** A setting of one simulation, for example the URL of a server. */
  public static String get(String name) {
    return Objects.requireNonNull(System.getProperty("bench." + name), () -> "the harness sets -Dbench." + name);
  }

  /**
   * The system properties of a simulation.
   *
   * @param more settings of this simulation
   */
  public static Map<String, String> of(int users, int people, Map<String, String> more) {
    Map<String, String> properties = new HashMap<>();
    properties.put("bench.users", Integer.toString(users));
    properties.put("bench.people", Integer.toString(people));
    more.forEach((name, value) -> properties.put("bench." + name, value));
    return properties;
  }
}
