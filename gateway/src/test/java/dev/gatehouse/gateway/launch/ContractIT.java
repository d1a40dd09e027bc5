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
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Requests that schemathesis generates from the OpenAPI document, to every operation of a demo: no answer is a fault, each has a described
 * status, type and schema, and none is given without a key. Here these are the values at the bounds of each schema; {@code ./gatehouse
 * contract} sends random ones, too.
 */
class ContractIT {

  private static final Path PYTHON = Path.of("src/test/python").toAbsolutePath();

  @Test
  @Timeout(value = 2, unit = TimeUnit.HOURS)
  void everyAnswerIsAsDescribed(@TempDir Path folder) throws IOException, InterruptedException {
    Path schemathesis = PythonTools.require("schemathesis");
    Optional<Integer> examples = Optional.ofNullable(Integer.getInteger("gatehouse.contract"));
    try (DemoProcess demo = DemoProcess.start(folder)) {
      ProcessBuilder command =
          new ProcessBuilder(
              schemathesis.toString(), "--no-color", "--config-file", PYTHON.resolve("schemathesis.toml").toString(), "run",
              document(demo).toString(), "--phases", examples.isPresent() ? "examples,coverage,fuzzing" : "coverage", "--workers", "2",
              "--max-examples", String.valueOf(examples.orElse(1)), "--seed", "1", "--continue-on-failure");
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
