package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.gateway.process.PythonTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Requests that schemathesis generates from the OpenAPI document, to every operation of a demo: no answer is a fault, each has a described
 * status, type and schema, and none is given without a key. {@code ./gatehouse contract} sends more of them.
 */
class ContractIT {

  private static final Path CONFIGURATION = Path.of("src/test/python/schemathesis.toml").toAbsolutePath();
  private static final int FEW = 3;

  @Test
  @Timeout(value = 2, unit = TimeUnit.HOURS)
  void everyAnswerIsAsDescribed(@TempDir Path folder) throws IOException, InterruptedException {
    Path schemathesis = PythonTools.require("schemathesis");
    try (DemoProcess demo = DemoProcess.start(folder)) {
      int examples = Integer.getInteger("gatehouse.contract", FEW);
      ProcessBuilder command =
          new ProcessBuilder(
              List.of(
                  schemathesis.toString(), "--config-file", CONFIGURATION.toString(), "run",
                  "http://127.0.0.1:" + demo.admin() + "/admin/v1/openapi.json", "--phases", "examples,coverage,fuzzing",
                  "--max-examples", String.valueOf(examples), "--seed", "1"));
      command.environment().put("GATEHOUSE_KEY", Files.readString(folder.resolve("demo/admin-key")).strip());
      Path report = folder.resolve("report.txt");
      Process run = command.directory(folder.toFile()).redirectErrorStream(true).redirectOutput(report.toFile()).start();
      assertThat(run.waitFor()).as(() -> text(report)).isZero();
      assertThat(text(report)).contains("Selected: ");
    }
  }

  private static String text(Path report) {
    try {
      return Files.readString(report);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
