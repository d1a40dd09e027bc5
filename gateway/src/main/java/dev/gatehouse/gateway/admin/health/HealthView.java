package dev.gatehouse.gateway.admin.health;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Optional;

/** The health of the node and a page of what it depends on. */
@Schema(name = "Health")
record HealthView(
    @Schema(description = "The worst of the node's own parts; the same as at /actuator/health", example = "UP") String status,
    @Schema(description = "Ordered by kind, realm and name") List<DependencyView> dependencies,
    @Schema(description = "Pass it as `after` for the next page; absent on the last one") Optional<String> next) {

  /** Something that the node depends on. */
  @Schema(name = "Dependency")
  record DependencyView(
      @Schema(
              description = "part: one of the node's own; app: a server of an app",
              allowableValues = {"app", "directory", "part", "partner", "provider"})
          String kind,
      @Schema(description = "Absent for what belongs to no single realm") Optional<String> realm,
      @Schema(
              description = "Of a partner its entity ID, of an OpenID provider its issuer, of a server of an app host and port",
              example = "database")
          String name,
      @Schema(description = "Whether it works as configured") boolean up,
      @Schema(description = "What it says of itself", example = "UP") String state,
      @Schema(description = "Why it is not up") Optional<String> problem) {

    /** Returns what pages are ordered by. */
    String id() {
      return kind + " " + realm.orElse("") + " " + name;
    }
  }
}
