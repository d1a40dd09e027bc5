package dev.gatehouse.gateway.admin.token;

import dev.gatehouse.common.admin.TokenDesk.TokenReport;
import dev.gatehouse.common.compute.ComputingThreads;
import dev.gatehouse.common.compute.KeptResults;
import dev.gatehouse.common.compute.Turn;
import dev.gatehouse.gateway.admin.token.TokenReportEndpoint.FailureReport;
import dev.gatehouse.gateway.admin.token.TokenReportEndpoint.TokenLines;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;

/**
 * What reads all tokens of a realm, or its audit log, has threads: however many help desks look, one connection to the database is used
 * for numbers and one for lists, and the processors are shared with whoever logs in. Results are kept for a moment ({@link KeptResults}). A change of a token does
 * not end that: where help desks change something each second, nothing would be kept.
 */
final class TokenReports {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  /** Of a table, which has 200 times as much. */
  private static final Duration LONG_PATIENCE = Duration.ofMinutes(1);

  /** Pages that are found by a scan, which wait for their turn. */
  private static final int MOST_WAITING = 16;

  /** Each takes a turn for each of its pages, so that others come between. */
  private static final int MOST_TABLES = 4;

  private static final int MOST_REALMS = 1000;
  /** Of a thousand lines each. */
  private static final int MOST_LISTS = 50;

  /** A list of tokens; {@code days} is 0 where none count. */
  record Lines(String realm, String kind, Optional<String> state, int days) {}

  /** A report of failures, up to now without {@code to}. */
  record Failed(String realm, String by, Optional<Instant> from, Optional<Instant> to) {}

  private final Turn rows;
  private final Turn tables;
  private final Turn events;
  private final KeptResults<String, TokenReport> counts;
  private final KeptResults<Lines, TokenLines> lines;
  private final KeptResults<Failed, FailureReport> failures;

  TokenReports(InstantSource clock) {
    ExecutorService tokens = ComputingThreads.of("report-", 1);
    // Apart: they are on the page that help desks begin with.
    ExecutorService numbers = ComputingThreads.of("count-", 1);
    // Apart: one report of these may take 20 s.
    ExecutorService log = ComputingThreads.of("failure-report-", 1);
    this.rows = new Turn(tokens, MOST_WAITING, LONG_PATIENCE);
    this.tables = new Turn(tokens, MOST_TABLES, LONG_PATIENCE);
    this.events = new Turn(log, MOST_TABLES, LONG_PATIENCE);
    this.counts = new KeptResults<>(numbers, MOST_REALMS, PATIENCE, clock, realm -> realm);
    this.lines = new KeptResults<>(tokens, MOST_LISTS, PATIENCE, clock, Lines::realm);
    this.failures = new KeptResults<>(log, MOST_LISTS, LONG_PATIENCE, clock, Failed::realm);
  }

  TokenReport counts(String realm, Supplier<TokenReport> computation) {
    return counts.get(realm, computation);
  }

  TokenLines lines(Lines of, Supplier<TokenLines> computation) {
    return lines.get(of, computation);
  }

  FailureReport failures(Failed of, Supplier<FailureReport> computation) {
    return failures.get(of, computation);
  }

  /**
   * Computes a page.
   *
   * @param isScan whether no index finds it; one that an index finds needs no turn
   */
  <T> T page(boolean isScan, Supplier<T> computation) {
    return isScan ? rows.take(computation) : computation.get();
  }

  /** Computes a part of a table. */
  <T> T part(Supplier<T> computation) {
    return tables.take(computation);
  }

  /** Computes what reads many events and is not kept. */
  <T> T failuresOnce(Supplier<T> computation) {
    return events.take(computation);
  }
}
