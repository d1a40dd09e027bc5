package dev.gatehouse.common.faults;

import dev.gatehouse.common.faults.Fact.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What a fault did.
 *
 * @param pageGap the longest time without a page that was served
 * @param workGap the longest time without work that was acknowledged: a login, tokens, a registration
 * @param recovery from the fault until the last request that failed
 * @param facts how many of each kind were acknowledged
 * @param findings what was not as it should be
 * @param failures the requests that failed, and why, with counts
 */
public record FaultRow(
    Requested requests, Duration pageGap, Duration workGap, Duration recovery, Map<String, Integer> facts, int lost, int wronglyAccepted,
    List<String> findings, Map<String, Integer> failures) {

  /** Numbers of requests. */
  public record Requested(long answered, int failed) {}

  static FaultRow of(Requests requests, Ledger ledger, Duration pageGap, Duration workGap, Duration recovery) {
    Map<String, Integer> facts = new java.util.TreeMap<>();
    ledger.kinds().forEach((kind, count) -> facts.put(kind.name(), count));
    return new FaultRow(
        new Requested(requests.answeredSoFar(), requests.failedSoFar()), pageGap, workGap, recovery, facts, ledger.count(Verdict.LOST),
        ledger.count(Verdict.WRONGLY_ACCEPTED), ledger.findings(), requests.failures());
  }
}
