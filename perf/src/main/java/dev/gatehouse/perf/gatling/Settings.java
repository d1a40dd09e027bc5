package dev.gatehouse.perf.gatling;

import java.nio.file.Path;
import java.util.Objects;

/** What the harness tells a simulation: system properties of the load generator's process. */
record Settings(String idp, String app, String realm, int users, int seconds, int people, Path out) {

  /** Where the simulation leaves its results. */
  static final String OUT = "bench.out";

  static Settings read() {
    return new Settings(
        property("bench.idp"),
        property("bench.app"),
        property("bench.realm"),
        Integer.parseInt(property("bench.users")),
        Integer.parseInt(property("bench.seconds")),
        Integer.parseInt(property("bench.people")),
        Path.of(property(OUT)));
  }

  String realmUrl() {
    return idp + "/realms/" + realm;
  }

  private static String property(String name) {
    return Objects.requireNonNull(System.getProperty(name), () -> "the harness sets -D" + name);
  }
}
