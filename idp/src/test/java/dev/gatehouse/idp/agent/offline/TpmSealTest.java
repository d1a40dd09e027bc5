package dev.gatehouse.idp.agent.offline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.FreePorts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The machine's key in a TPM: Debian's {@code swtpm} is the TPM, {@code tpm2-tools} speak to it. */
final class TpmSealTest {

  private static final byte[] KEY = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] ANOTHER = "another key, which is not needed".getBytes(StandardCharsets.US_ASCII);

  @TempDir private Path folder;

  @Test
  void aKeyIsOpenedByTheTpmThatSealedItAndNoOther() throws Exception {
    SwTpm.requireInstalled();
    Path days = Files.createDirectory(folder.resolve("days"));
    Path state = folder.resolve("tpm");
    try (SwTpm tpm = SwTpm.start(state)) {
      assertThat(new TpmSeal(days, tpm.environment()).open(KEY)).isEqualTo(KEY);
      assertThat(new TpmSeal(days, tpm.environment()).open(ANOTHER)).as("it has one").isEqualTo(KEY);
    }
    try (var files = Files.walk(days)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)).doesNotContain("0123456789abcdef");
      }
    }
    try (SwTpm again = SwTpm.start(state)) {
      assertThat(new TpmSeal(days, again.environment()).open(ANOTHER)).as("after a start").isEqualTo(KEY);
    }
    try (SwTpm thiefs = SwTpm.start(folder.resolve("other"))) {
      assertThatThrownBy(() -> new TpmSeal(days, thiefs.environment()).open(ANOTHER))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("the TPM did not do tpm2_load");
    }
  }

  @Test
  void withoutATpmItIsSaidWhatFailed() throws Exception {
    SwTpm.requireInstalled();
    TpmSeal seal = new TpmSeal(folder, Map.of("TPM2TOOLS_TCTI", "swtpm:host=127.0.0.1,port=" + FreePorts.one()));
    assertThatThrownBy(() -> seal.open(KEY)).isInstanceOf(IOException.class).hasMessageStartingWith("the TPM did not do "
        + "tpm2_createprimary: ");
    try (var files = Files.list(folder)) {
      assertThat(files).as("nothing is left").isEmpty();
    }
  }
}
