package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.gateway.process.PythonTools;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Requests that schemathesis generates from the OpenAPI document, to operations of a demo: no answer is a fault, each has a described
 * status, type and schema, and none is given without a key. Here these are the values at the bounds of each schema; {@code ./gatehouse
 * contract} sends random ones, too.
 */
@Timeout(value = 2, unit = TimeUnit.HOURS)
class ContractIT {

  private static final Path PYTHON = Path.of("src/test/python").toAbsolutePath();

  @Test
  void everyAnswerToAReaderIsAsDescribed(@TempDir Path folder) throws IOException, InterruptedException {
    ask(folder, List.of("--include-method", "GET"));
  }

  @Test
  @Tag("long")
  void everyAnswerIsAsDescribed(@TempDir Path folder) throws IOException, InterruptedException {
    ask(folder, List.of());
  }

  /** @param operations options that choose some of the operations */
  private static void ask(Path folder, List<String> operations) throws IOException, InterruptedException {
    Path schemathesis = PythonTools.require("schemathesis");
    Optional<Integer> examples = Optional.ofNullable(Integer.getInteger("gatehouse.contract"));
    try (DemoProcess demo = DemoProcess.start(folder)) {
      List<String> arguments = new ArrayList<>();
      arguments.addAll(List.of(schemathesis.toString(), "--no-color", "--config-file", PYTHON.resolve("schemathesis.toml").toString()));
      arguments.addAll(List.of("run", document(demo).toString()));
      arguments.addAll(operations);
      arguments.addAll(List.of("--phases", examples.isPresent() ? "examples,coverage,fuzzing" : "coverage", "--workers", "2"));
      arguments.addAll(List.of("--max-examples", String.valueOf(examples.orElse(1)), "--seed", "1", "--continue-on-failure"));
      ProcessBuilder command = new ProcessBuilder(arguments);
      command
          .environment()
          .putAll(Map.of("GATEHOUSE_KEY", Files.readString(folder.resolve("demo/admin-key")).strip(), "PYTHONPATH", PYTHON.toString()));
      Path report = folder.resolve("report.txt");
      Process run = command.directory(folder.toFile()).redirectErrorStream(true).redirectOutput(report.toFile()).start();
      try {
        assertThat(run.waitFor()).as(() -> text(report)).isZero();
      } finally {
        run.destroyForcibly();
      }
      assertThat(text(report)).containsPattern("Tested: ([4-9]\\d|\\d{3})\n");
      assertThat(demo.output()).doesNotContain("Administration (reference", "could not answer");
    }
  }

  /** Returns the address of the document, which is made by its first request: schemathesis does not wait that long. */
  private static URI document(DemoProcess demo) throws IOException, InterruptedException {
    URI address = URI.create("http://127.0.0.1:" + demo.admin() + "/admin/v1/openapi.json");
    try (HttpClient http = HttpClient.newHttpClient()) {
      assertThat(http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.discarding()).statusCode()).isEqualTo(200);
    }
    return address;
  }

  private static String text(Path report) {
    try {
      return Files.readString(report);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
