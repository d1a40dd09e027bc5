package dev.gatehouse.gateway.admin.job;

import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A job. */
@Schema(name = "Job")
public record JobView(
    String id,
    @Schema(example = "audit.archive") String kind,
    @Schema(description = "Absent if it concerns the node") Optional<String> realm,
    @Schema(description = "Who started it") String administrator,
    @Schema(
            description = "interrupted: the node ended before the job did; what was done until then stays",
            allowableValues = {"running", "succeeded", "failed", "cancelled", "interrupted"})
        String state,
    Instant startedAt,
    Optional<Instant> endedAt,
    Progress progress,
    @Schema(description = "Of a job that succeeded; its members depend on the kind") Optional<Map<String, Object>> result,
    @Schema(description = "Why it failed") Optional<String> problem) {

  /** How far a job is. */
  @Schema(name = "JobProgress")
  public record Progress(
      long done, @Schema(description = "0 until it is known") long total, @Schema(example = "bytes") String unit) {

    /** Returns the percentage that is done. */
    public int percent() {
      return total <= 0 ? 0 : (int) Math.min(100, 100.0 * done / total);
    }
  }

  /** Jobs. */
  @Schema(name = "Jobs")
  public record JobList(
      @Schema(description = "The newest first; jobs that have ended are forgotten when 100 newer ones have") List<JobView> jobs) {}

  /** States of jobs. */
  enum State {
    RUNNING,
    SUCCEEDED,
    FAILED,
    CANCELLED,
    INTERRUPTED;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Returns whether it is running. */
  public boolean isRunning() {
    return state.equals(State.RUNNING.word());
  }
}
