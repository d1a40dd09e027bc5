package dev.gatehouse.perf.report;

import dev.gatehouse.perf.harness.Machine;
import java.time.Instant;

/**
 * When, where and under which load a row was measured.
 *
 * @param commit of what was measured, see {@code bench all}; ends in {@code +} if files had changed
 * @param signaturesBefore RSA-2048 signatures of one thread per CPU second, just before the row: how fast this machine is at the moment
 * @param signaturesAfter the same after the row
 */
public record Circumstances(
    String commit, Machine machine, Instant began, Instant ended, Busy busy, double signaturesBefore, double signaturesAfter) {

  public double minutes() {
    return (ended.toEpochMilli() - began.toEpochMilli()) / 60_000.0;
  }
}
