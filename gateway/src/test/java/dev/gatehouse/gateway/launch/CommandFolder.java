package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.FreePorts;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.springframework.util.FileSystemUtils;

/** A folder with the configuration of a node, one that may be proposed in its place, and what the last command printed. */
final class CommandFolder {

  static final Path SAMPLE = Path.of("../docker/config/idp");
  private static final String REALM = "realms/demo.yaml";

  final Path config;
  final Path proposal;
  final StringWriter out = new StringWriter();
  final StringWriter err = new StringWriter();

  /**
   * Writes the sample configuration, with a port of its own for the administration and {@code data} beside {@code config}.
   *
   * @param keys further lines of {@code gatehouse.yaml}, each with its line feed
   */
  CommandFolder(Path folder, String keys) throws IOException {
    config = folder.resolve("config");
    proposal = folder.resolve("proposal");
    String yaml = Files.readString(SAMPLE.resolve("gatehouse.yaml")).replaceAll("port: \\d+", "port: 0");
    yaml = yaml.replace("admin: {address: 127.0.0.1, port: 0}", "admin: {address: 127.0.0.1, port: " + FreePorts.take(1).getFirst() + "}");
    for (Path copy : new Path[] {config, proposal}) {
      Files.createDirectories(copy.resolve("realms"));
      Files.copy(SAMPLE.resolve(REALM), copy.resolve(REALM));
    }
    Files.writeString(config.resolve("gatehouse.yaml"), yaml.replace("data: /var/lib/gatehouse", keys + "data: ../data"));
  }

  /** Runs a command; returns its exit code. */
  int run(String... words) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Launcher.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true)).execute(words);
  }

  /** Proposes the sample again, whatever was proposed. */
  void proposeSample() throws IOException {
    FileSystemUtils.deleteRecursively(proposal);
    Files.createDirectories(proposal.resolve("realms"));
    Files.copy(SAMPLE.resolve(REALM), proposal.resolve(REALM));
  }

  /** Changes the proposed realm. */
  void change(String old, String replacement) throws IOException {
    String text = Files.readString(proposal.resolve(REALM));
    assertThat(text).contains(old);
    Files.writeString(proposal.resolve(REALM), text.replace(old, replacement));
  }
}
