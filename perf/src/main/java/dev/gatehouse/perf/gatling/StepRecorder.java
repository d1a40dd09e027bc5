package dev.gatehouse.perf.gatling;

import static io.gatling.javaapi.core.CoreDsl.exec;

import dev.gatehouse.perf.report.StepResult;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * Measures steps as the published reports do: from the request to the page, including redirects. Gatling itself reports
 * each redirect separately, and its results only as HTML.
 */
final class StepRecorder {

  private static final String START = "stepStart";

  private final Map<String, Step> steps = new LinkedHashMap<>();

  /** The request as one measured step; the virtual user exits if it fails. */
  ChainBuilder measured(String name, HttpRequestActionBuilder request) {
    Step step = steps.computeIfAbsent(name, key -> new Step());
    return exec(session -> session.set(START, System.nanoTime()))
        .exec(request)
        .exec(session -> step.record(session))
        .exitHereIfFailed();
  }

  /** Writes the results, which {@link LoadRun} reads. */
  void write(Path file) {
    List<StepResult> results = steps.entrySet().stream().map(step -> step.getValue().result(step.getKey())).toList();
    try {
      Files.writeString(file, JsonMapper.shared().writeValueAsString(results));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The times of one step, in microseconds. */
  private static final class Step {
    private int[] micros = new int[1 << 16];
    private int ok;
    private long failed;

    synchronized Session record(Session session) {
      if (session.isFailed()) {
        failed++;
        return session;
      }
      if (ok == micros.length) {
        micros = Arrays.copyOf(micros, 2 * ok);
      }
      micros[ok++] = (int) ((System.nanoTime() - session.getLong(START)) / 1000);
      return session;
    }

    synchronized StepResult result(String name) {
      int[] sorted = Arrays.copyOf(micros, ok);
      Arrays.sort(sorted);
      double mean = Arrays.stream(sorted).average().orElse(0) / 1000;
      return new StepResult(name, ok, failed, mean, at(sorted, 0.5), at(sorted, 0.95), at(sorted, 0.99));
    }

    private static double at(int[] sorted, double quantile) {
      return sorted.length == 0 ? 0 : sorted[(int) (quantile * (sorted.length - 1))] / 1000.0;
    }
  }
}
