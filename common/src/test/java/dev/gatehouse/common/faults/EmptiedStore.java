package dev.gatehouse.common.faults;

import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;

/**
 * What nodes do after Valkey was emptied while they ran.
 *
 * @param noticed until nothing was served any more
 * @param served pages that were served, and logins that succeeded, after that
 * @param logs what the nodes wrote
 */
public record EmptiedStore(Duration noticed, int served, List<String> logs) {

  private static final Duration LONGEST = Duration.ofSeconds(20);
  private static final Duration OBSERVED = Duration.ofSeconds(4);

  /** Empties the primary, and its replicas with it. */
  public static EmptiedStore of(Site site) throws Exception {
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      Journeys journeys = new Journeys(site, client, new Requests(), new Ledger());
      Visitor visitor = journeys.session();
      long start = System.nanoTime();
      site.sentinels().primary().command("FLUSHALL");
      while (isAnswered(() -> journeys.isServed(visitor)) || isAnswered(journeys::session)) {
        if (System.nanoTime() - start > LONGEST.toNanos()) {
          break;
        }
      }
      Duration noticed = Duration.ofNanos(System.nanoTime() - start);
      int served = 0;
      long end = System.nanoTime() + OBSERVED.toNanos();
      while (System.nanoTime() < end) {
        served += isAnswered(() -> journeys.isServed(visitor)) ? 1 : 0;
        served += isAnswered(journeys::session) ? 1 : 0;
        Thread.sleep(Duration.ofMillis(50));
      }
      return new EmptiedStore(noticed, served, site.nodes().stream().map(SiteNode::log).toList());
    }
  }

  private interface Question {
    Object ask() throws IOException;
  }

  /** Returns whether there is any answer but an honest 503. */
  private static boolean isAnswered(Question question) {
    try {
      question.ask();
      return true;
    } catch (IOException unavailable) {
      return false;
    } catch (IllegalStateException unexpected) {
      return true;
    }
  }
}
