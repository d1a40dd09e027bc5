package dev.gatehouse.perf.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MemoryCommandTest {

  @ParameterizedTest
  @ValueSource(strings = {
    "docs/explanation/sizing.md", "docs/how-to/deploy-systemd.md", "docs/how-to/deploy-image.md", "docs/how-to/deploy-kubernetes.md"
  })
  void pagesHaveTheOptionsOfASmallNodeThatAreMeasured(String page) throws IOException {
    String options = new CommandLine(new MemoryCommand()).getCommandSpec().findOption("--java-opts").defaultValue();
    assertThat(options).contains("-Xmx");
    assertThat(Files.readString(Path.of("..").resolve(page))).contains(options);
  }
}
