package dev.gatehouse.perf.report;

import dev.gatehouse.perf.harness.Machine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * When, where and under which load a row was measured.
 *
 * @param commit of what was measured, see {@code bench all}; ends in {@code +} if files had changed
 * @param signaturesBefore RSA-2048 signatures of one thread per CPU second, just before the row: how fast this machine is at the moment
 * @param signaturesAfter the same after the row
 */
public record Circumstances(
    String commit, Machine machine, Instant began, Instant ended, Busy busy, double signaturesBefore, double signaturesAfter) {

  /** A record that does not name its machine is of one that nobody knows. */
  public Circumstances {
    machine = Objects.requireNonNullElse(machine, Machine.UNKNOWN);
  }

  public double minutes() {
    return (ended.toEpochMilli() - began.toEpochMilli()) / 60_000.0;
  }

  /** In words, where it was measured; nothing if at that commit on such a machine, so that its figures belong together with those. */
  public Optional<String> elsewhere(String thatCommit, Machine thatMachine) {
    List<String> words = new ArrayList<>();
    if (!commit.equals(thatCommit)) {
      words.add("commit " + commit);
    }
    if (!thatMachine.isLike(machine)) {
      words.add("another machine or JDK (" + machine + ")");
    }
    return words.isEmpty() ? Optional.empty() : Optional.of(String.join(" on ", words));
  }
}
