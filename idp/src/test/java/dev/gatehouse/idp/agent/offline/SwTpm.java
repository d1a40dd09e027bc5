package dev.gatehouse.idp.agent.offline;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Assertions;

/** A TPM of its own: Debian's {@code swtpm}. */
public final class SwTpm implements AutoCloseable {
  private final Process process;
  private final int port;

  private SwTpm(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Skips the test where it is not installed. */
  public static void requireInstalled() {
    boolean isThere = Files.isExecutable(Path.of("/usr/bin/swtpm")) && Files.isExecutable(Path.of("/usr/bin/tpm2_unseal"));
    if (!isThere && "true".equals(System.getenv("CI"))) {
      Assertions.fail("apt-get install swtpm tpm2-tools");
    }
    assumeTrue(isThere, "skipped: apt-get install swtpm tpm2-tools");
  }

  /** @param state the folder of what a TPM keeps in itself */
  public static SwTpm start(Path state) throws IOException {
    Files.createDirectories(state);
    // The client speaks to the second one, too.
    int port = FreePorts.inARow(2);
    Process process =
        new ProcessBuilder(
                "/usr/bin/swtpm", "socket", "--tpm2", "--tpmstate", "dir=" + state, "--server", "type=tcp,port=" + port,
                "--ctrl", "type=tcp,port=" + (port + 1), "--flags", "not-need-init,startup-clear")
            .inheritIO()
            .start();
    SwTpm tpm = new SwTpm(process, port);
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

  /** Returns what tells tpm2-tools where it is. */
  public Map<String, String> environment() {
    return Map.of("TPM2TOOLS_TCTI", "swtpm:host=127.0.0.1,port=" + port);
  }

  @Override
  public void close() {
    process.destroy();
  }
}
