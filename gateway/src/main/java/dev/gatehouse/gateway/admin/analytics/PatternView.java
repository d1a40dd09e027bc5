package dev.gatehouse.gateway.admin.analytics;

import dev.gatehouse.common.analytics.Pattern;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Something unusual about logins. */
@Schema(name = "UnusualPattern")
public record PatternView(
    String id,
    @Schema(allowableValues = {"one-address-many-people", "one-person-many-addresses", "impossible-travel"}) String kind,
    String realm,
    @Schema(description = "The address, or the login name, that it is about") String subject,
    @Schema(description = "The number of the node that noticed it") int node,
    Instant firstAt,
    Instant lastAt,
    @Schema(description = "Different people or networks, or kilometres") long count,
    @Schema(description = "The first events and the last one") List<EvidenceView> evidence) {

  /** All patterns of a range. */
  @Schema(name = "UnusualPatterns")
  public record Patterns(@Schema(description = "The latest first") List<PatternView> patterns) {}

  /** An event. */
  @Schema(name = "PatternEvidence")
  public record EvidenceView(
      Instant at,
      String address,
      @Schema(description = "The login name as it was typed") String name,
      boolean succeeded,
      @Schema(description = "Of the address, if a file of places is configured") Optional<String> place) {}

  static PatternView of(Pattern pattern) {
    return new PatternView(
        pattern.id(), pattern.kind().word(), pattern.realm(), pattern.subject(), pattern.node(), pattern.firstAt(), pattern.lastAt(),
        pattern.count(),
        pattern.evidence().stream()
            .map(one -> new EvidenceView(one.at(), one.address(), one.name(), one.succeeded(), one.place()))
            .toList());
  }
}
