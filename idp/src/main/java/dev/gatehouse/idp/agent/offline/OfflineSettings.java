package dev.gatehouse.idp.agent.offline;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What an agent keeps for days without a server.
 *
 * @param folder of what it keeps
 * @param isInTpm whether the machine's key is sealed by its TPM; otherwise it is a file, and PINs need eight characters
 * @param tpm how tpm2-tools reach the TPM ({@code TPM2TOOLS_TCTI}); as they find it by themselves if absent
 */
public record OfflineSettings(Path folder, boolean isInTpm, Optional<String> tpm) {

  /** Creates settings for the TPM that tpm2-tools find by themselves, if any. */
  public OfflineSettings(Path folder, boolean isInTpm) {
    this(folder, isInTpm, Optional.empty());
  }
}
