package dev.gatehouse.idp.agent.offline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The machine's key in a TPM: Debian's {@code swtpm} is the TPM, {@code tpm2-tools} speak to it. */
final class TpmSealTest {

  private static final byte[] KEY = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] ANOTHER = "another key, which is not needed".getBytes(StandardCharsets.US_ASCII);

  @TempDir private Path folder;

  /** A TPM of its own. */
  private static final class Tpm implements AutoCloseable {
    private final Process process;
    private final int port;

    private Tpm(Process process, int port) {
      this.process = process;
      this.port = port;
    }

    static Tpm start(Path state) throws IOException {
      Files.createDirectories(state);
      // The client speaks to the second one, too.
      int port = FreePorts.inARow(2);
      Process process =
          new ProcessBuilder(
                  "/usr/bin/swtpm", "socket", "--tpm2", "--tpmstate", "dir=" + state, "--server", "type=tcp,port=" + port,
                  "--ctrl", "type=tcp,port=" + (port + 1), "--flags", "not-need-init,startup-clear")
              .inheritIO()
              .start();
      Tpm tpm = new Tpm(process, port);
      Eventually.holds(() -> isListening(port + 1));
      return tpm;
    }

    private static boolean isListening(int port) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        return socket.isConnected();
      } catch (IOException e) {
        return false;
      }
    }

    Map<String, String> environment() {
      return Map.of("TPM2TOOLS_TCTI", "swtpm:host=127.0.0.1,port=" + port);
    }

    @Override
    public void close() {
      process.destroy();
    }
  }

  private static void requireInstalled() {
    boolean isThere = Files.isExecutable(Path.of("/usr/bin/swtpm")) && Files.isExecutable(Path.of("/usr/bin/tpm2_unseal"));
    if (!isThere && "true".equals(System.getenv("CI"))) {
      Assertions.fail("apt-get install swtpm tpm2-tools");
    }
    assumeTrue(isThere, "skipped: apt-get install swtpm tpm2-tools");
  }

  @Test
  void aKeyIsOpenedByTheTpmThatSealedItAndNoOther() throws Exception {
    requireInstalled();
    Path days = Files.createDirectory(folder.resolve("days"));
    Path state = folder.resolve("tpm");
    try (Tpm tpm = Tpm.start(state)) {
      assertThat(new TpmSeal(days, tpm.environment()).open(KEY)).isEqualTo(KEY);
      assertThat(new TpmSeal(days, tpm.environment()).open(ANOTHER)).as("it has one").isEqualTo(KEY);
    }
    try (var files = Files.walk(days)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)).doesNotContain("0123456789abcdef");
      }
    }
    try (Tpm again = Tpm.start(state)) {
      assertThat(new TpmSeal(days, again.environment()).open(ANOTHER)).as("after a start").isEqualTo(KEY);
    }
    try (Tpm thiefs = Tpm.start(folder.resolve("other"))) {
      assertThatThrownBy(() -> new TpmSeal(days, thiefs.environment()).open(ANOTHER))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("the TPM did not do tpm2_load");
    }
  }

  @Test
  void withoutATpmItIsSaidWhatFailed() throws Exception {
    requireInstalled();
    TpmSeal seal = new TpmSeal(folder, Map.of("TPM2TOOLS_TCTI", "swtpm:host=127.0.0.1,port=" + FreePorts.one()));
    assertThatThrownBy(() -> seal.open(KEY)).isInstanceOf(IOException.class).hasMessageStartingWith("the TPM did not do "
        + "tpm2_createprimary: ");
    try (var files = Files.list(folder)) {
      assertThat(files).as("nothing is left").isEmpty();
    }
  }
}
