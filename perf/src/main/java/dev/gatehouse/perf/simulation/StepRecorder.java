package dev.gatehouse.perf.simulation;

import static io.gatling.javaapi.core.CoreDsl.exec;

import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.harness.Latencies;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * Measures steps as the published reports do: from the request to the page, including redirects. Gatling itself reports
 * each redirect separately, and its results only as HTML.
 */
public final class StepRecorder {

  private static final String START = "stepStart";

  private final Map<String, Step> steps = new LinkedHashMap<>();

  /** The requests as one measured step; the virtual user exits if it fails. */
  public ChainBuilder measured(String name, ChainBuilder requests) {
    Step step = steps.computeIfAbsent(name, key -> new Step());
    return exec(session -> session.set(START, System.nanoTime()))
        .exec(requests)
        .exec(step::record)
        .exitHereIfFailed();
  }

  /** Writes the results, which {@link GatlingLoad} reads. */
  void write(Path file) {
    List<Iteration.Step> results = steps.entrySet().stream().map(step -> step.getValue().result(step.getKey())).toList();
    try {
      Files.writeString(file, JsonMapper.shared().writeValueAsString(results));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Step {
    private final Latencies latencies = new Latencies();
    private long failed;

    synchronized Session record(Session session) {
      if (session.isFailed()) {
        failed++;
      } else {
        latencies.add(System.nanoTime() - session.getLong(START));
      }
      return session;
    }

    synchronized Iteration.Step result(String name) {
      return latencies.step(name, failed);
    }
  }
}
