package dev.gatehouse.gateway.admin.configuration;

import dev.gatehouse.common.realm.Problem;
import io.swagger.v3.oas.annotations.media.Schema;

/** A mistake in the configuration. */
@Schema(name = "ConfigurationProblem")
public record ProblemView(
    String file,
    @Schema(description = "Counted from 1; 0 for the whole file") int line,
    @Schema(example = "gateway.routes[2].upstream") String key,
    String message,
    @Schema(description = "The remedy") String remedy) {

  public static ProblemView of(Problem problem) {
    return new ProblemView(
        problem.file().toString(), problem.line(), problem.key(), problem.message(), problem.remedy());
  }
}
