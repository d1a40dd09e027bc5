package dev.gatehouse.perf.analytics;

import dev.gatehouse.perf.console.AdminBrowser;
import dev.gatehouse.perf.harness.Report;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** The script of the page of charts: asks for the last minutes, waits a second, and asks again. */
final class LiveChart implements AutoCloseable {

  private static final String PATH = "/console/charts/live?series=logins";
  private static final String PAGE = "/console/charts";
  private static final int PAUSE_MILLIS = 1000;
  private static final int ASKED_BEFORE_A_LOOK = 300;

  /** @param logins all that the chart has shown until then */
  record Shown(long nanos, long logins) {}

  private final AdminBrowser browser;
  private final Map<String, Long> seconds = new TreeMap<>();
  private final List<Shown> shown = new ArrayList<>();
  private final Thread thread;
  private volatile boolean closed;
  private int asked;
  private int failed;

  LiveChart(AdminBrowser browser) {
    this.browser = browser;
    this.thread = Thread.ofPlatform().start(this::refreshAgainAndAgain);
  }

  private void refreshAgainAndAgain() {
    try {
      while (!closed) {
        refresh();
        Thread.sleep(PAUSE_MILLIS);
        if (++asked % ASKED_BEFORE_A_LOOK == 0) {
          look();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Opens the page again, as somebody does who looks at it: the script alone keeps no session alive. */
  private void look() throws InterruptedException {
    try {
      browser.load(PAGE);
    } catch (IOException e) {
      failed++;
    }
  }

  private void refresh() throws InterruptedException {
    try {
      JsonNode answer = Report.JSON.readTree(browser.json(PATH));
      answer.at("/lines/0/points").forEach(
          point -> seconds.put(point.get("at").asString(), point.at("/figures/count").asLong()));
      // The answer has the last five minutes only, and a second that is shown may still grow.
      long logins = seconds.values().stream().mapToLong(Long::longValue).sum();
      synchronized (shown) {
        shown.add(new Shown(System.nanoTime(), logins));
      }
    } catch (IOException e) {
      failed++;
    }
  }

  List<Shown> shown() {
    synchronized (shown) {
      return List.copyOf(shown);
    }
  }

  /** Returns the number of questions that were not answered; call it when closed. */
  int failed() {
    return failed;
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    thread.join();
  }
}
