package dev.gatehouse.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine;

/** The completion scripts in the real shells. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(60)
class CompletionTest {

  private Path folder;

  @Command(name = "gatehouse", subcommands = {CompletionCommand.class, Admin.class}, mixinStandardHelpOptions = true)
  private static final class Root {}

  @Command(name = "admin", description = "It's the administration: everything.", mixinStandardHelpOptions = true)
  private static final class Admin {
    @Option(names = "--hidden", hidden = true)
    @SuppressWarnings("UnusedVariable") // picocli sets it
    private boolean hidden;
  }

  @BeforeAll
  void write(@TempDir Path folder) throws IOException {
    this.folder = folder;
    for (String shell : List.of("bash", "zsh", "fish")) {
      CommandLine line = new CommandLine(new Root());
      CommandLine admin = Objects.requireNonNull(line.getSubcommands().get("admin"));
      OperationCommands.addTo(admin, NoNode::new, new ByteArrayInputStream(new byte[0]));
      StringWriter out = new StringWriter();
      line.setCaseInsensitiveEnumValuesAllowed(true).setOut(new PrintWriter(out, true));
      assertThat(line.execute("completion", shell)).isZero();
      Files.writeString(folder.resolve(shell), out.toString());
    }
  }

  private String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(printed).isZero();
    return printed;
  }

  /** Asks bash, as it asks when the Tab key is pressed behind these words. */
  private List<String> bash(String... words) throws IOException, InterruptedException {
    List<String> quoted = new ArrayList<>();
    for (String word : words) {
      quoted.add("'" + word + "'");
    }
    String script =
        "source ./bash; COMP_WORDS=(" + String.join(" ", quoted) + "); COMP_CWORD=" + (words.length - 1)
            + "; COMP_LINE='" + String.join(" ", words) + "'; COMP_POINT=${#COMP_LINE}; _complete_gatehouse; printf '%s\\n' \"${COMPREPLY[@]}\"";
    return run("/bin/bash", "--norc", "-c", script).lines().toList();
  }

  @Test
  void bashCompletesCommandsOptionsAndValues() throws IOException, InterruptedException {
    assertThat(bash("./gatehouse", "adm")).contains("admin");
    assertThat(bash("./gatehouse", "admin", "par")).contains("partners");
    assertThat(bash("./gatehouse", "admin", "partners", "l")).contains("list");
    assertThat(bash("./gatehouse", "admin", "partners", "list", "--re")).contains("--realm");
    assertThat(bash("./gatehouse", "admin", "sessions", "list", "--kind", "a")).contains("app");
  }

  @Test
  void zshReadsTheScript() throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/zsh")), "zsh is not installed");
    run("/usr/bin/zsh", "-n", "./zsh");
    assertThat(run("/usr/bin/zsh", "-f", "-c", "source ./zsh; whence -w _complete_gatehouse")).contains("function");
  }

  @Test
  void fishCompletesCommandsOptionsAndValues() throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/fish")), "fish is not installed");
    assertThat(fish("gatehouse ")).contains("admin\tIt's the administration", "completion");
    assertThat(fish("gatehouse admin par")).contains("partners");
    assertThat(fish("gatehouse admin partners ")).contains("list").doesNotContain("sessions");
    assertThat(fish("gatehouse admin partners list --re")).contains("--realm");
    assertThat(fish("gatehouse admin sessions list --kind ")).contains("idp", "app");
    assertThat(fish("gatehouse admin --hi")).doesNotContain("--hidden");
  }

  private String fish(String line) throws IOException, InterruptedException {
    return run("/usr/bin/fish", "--no-config", "-c", "source ./fish; complete -C '" + line + "'");
  }
}
