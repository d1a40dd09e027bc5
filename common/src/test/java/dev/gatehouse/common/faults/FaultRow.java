package dev.gatehouse.common.faults;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a fault did.
 *
 * @param facts how many of each kind were acknowledged
 * @param ended how many sessions were ended since the fault began, whose cookies were then tried
 * @param served how long each configuration took from its acknowledgement until every node served it, if any was applied
 * @param findings what was not as it should be
 * @param failures the requests that failed, and why, with counts
 */
public record FaultRow(
    Requested requests, Gaps gaps, Map<String, Integer> facts, int ended, Judged judged, List<Duration> served, List<String> findings,
    Map<String, Integer> failures) {

  /**
   * Numbers of requests.
   *
   * @param checks how often somebody answered for a fact
   */
  public record Requested(long answered, int failed, int checks) {}

  /**
   * How long something was away.
   *
   * @param page the longest time in which pages were asked for and none was served
   * @param work the same of the kind of work that was away for the longest time: a login, a logout, tokens, codes, a registration
   * @param recovery from the fault until the last request that failed
   */
  public record Gaps(Duration page, Duration work, Duration recovery) {}

  /**
   * What is to be said of the facts and of the answers.
   *
   * @param late what was accepted by nodes that had not heard of its end, within the time that the documentation gives them
   * @param unanswered facts for which nobody answered after the fault
   * @param unexpected answers that no fault explains: an error, or a refusal of what was granted
   * @param stillFails whether requests still failed long after the fault
   */
  public record Judged(int lost, int wronglyAccepted, Late late, int unanswered, int unexpected, boolean stillFails) {}

  /**
   * Sessions that were accepted after their end.
   *
   * @param longest after the end was acknowledged
   */
  public record Late(int facts, Duration longest) {}

  static FaultRow of(Requests requests, Ledger ledger, Gaps gaps) {
    Map<String, Integer> facts = new TreeMap<>();
    ledger.kinds().forEach((kind, count) -> facts.put(kind.name(), count));
    return new FaultRow(
        new Requested(requests.answeredSoFar(), requests.failedSoFar(), ledger.checks()), gaps, facts,
        ledger.endedSinceFault(), ledger.judged(requests.errorsSoFar()), ledger.served(), ledger.findings(), requests.failures());
  }

  public int lost() {
    return judged.lost();
  }

  public int wronglyAccepted() {
    return judged.wronglyAccepted();
  }

  public Duration pageGap() {
    return gaps.page();
  }

  public Duration workGap() {
    return gaps.work();
  }

  /** Returns the row with the numbers of requests that another one had, before all facts were checked. */
  FaultRow with(Requested under) {
    Requested both = new Requested(under.answered(), under.failed(), requests.checks());
    return new FaultRow(both, gaps, facts, ended, judged, served, findings, failures);
  }
}
