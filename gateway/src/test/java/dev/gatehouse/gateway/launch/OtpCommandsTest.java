package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./gatehouse otp status}, {@code push}, {@code nominate} and {@code forget} where they cannot work: a sentence, and no more. */
final class OtpCommandsTest {

  private static final List<List<String>> COMMANDS =
      List.of(List.of("status"), List.of("push", "--replace"), List.of("nominate", "--confirm"), List.of("forget", "paris"));

  @TempDir private Path folder;
  private CommandFolder commands;

  @BeforeEach
  void write() throws IOException {
    commands = new CommandFolder(folder, "");
  }

  private void isSaid(String sentence) {
    for (List<String> command : COMMANDS) {
      List<String> words = new ArrayList<>(List.of("otp"));
      words.addAll(command);
      words.addAll(List.of("--config", commands.config.toString()));
      assertThat(commands.run(words.toArray(String[]::new))).as(command + ": " + commands.err).isEqualTo(1);
      assertThat(commands.err.toString()).contains(sentence).doesNotContain("The node was not started", "\tat ", "a-password");
      assertThat(commands.out.toString()).isEmpty();
    }
  }

  @Test
  void aNodeThatIsAloneHasNoServers() {
    isSaid("This node checks one-time passwords alone: its gatehouse.yaml has no otp.");
  }

  @Test
  void aDatabaseThatDoesNotAnswerIsNamed() throws IOException {
    int port = FreePorts.take(1).getFirst();
    Files.writeString(
        commands.config.resolve("gatehouse.yaml"),
        """
        roles: [idp]
        listeners: {idp: {address: 127.0.0.1, port: 8080}, admin: {port: 8081}}
        storage: shared
        data: data
        masterKey: %s
        postgresql: {url: "postgresql://127.0.0.1:%d/postgres", user: gatehouse, password: "a-password"}
        valkey: {server: "127.0.0.1:%d", tls: false, acknowledge: local}
        otp:
          role: replica
          server: paris
          servers:
            berlin: {url: "postgresql://127.0.0.1:%d/postgres", user: gatehouse, password: "a-password"}
        """
            .formatted(Base64.getEncoder().encodeToString(new byte[32]), port, port, port));
    isSaid("127.0.0.1:" + port);
  }
}
