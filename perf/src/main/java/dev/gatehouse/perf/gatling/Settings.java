package dev.gatehouse.perf.gatling;

import dev.gatehouse.perf.saml.SamlCase;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/** The settings that the harness passes to a simulation as system properties of the load generator's process. */
public record Settings(String idp, String app, String realm, int users, int seconds, int people, Path out) {

  /** The file for the simulation's results. */
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

  /** The case of S1, if there is one. */
  static SamlCase samlCase() {
    return new SamlCase(
        SamlCase.Initiator.valueOf(property("bench.initiator")),
        SamlCase.Federated.valueOf(property("bench.federated")),
        SamlCase.Profile.valueOf(property("bench.profile")),
        SamlCase.Logout.valueOf(property("bench.logout")));
  }

  /** The properties that {@link #samlCase} reads. */
  public static Map<String, String> of(SamlCase samlCase) {
    return Map.of(
        "bench.initiator", samlCase.initiator().name(),
        "bench.federated", samlCase.federated().name(),
        "bench.profile", samlCase.profile().name(),
        "bench.logout", samlCase.logout().name());
  }

  String realmUrl() {
    return idp + "/realms/" + realm;
  }

  private static String property(String name) {
    return Objects.requireNonNull(System.getProperty(name), () -> "the harness sets -D" + name);
  }
}
