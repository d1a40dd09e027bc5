package dev.gatehouse.idp.agent.offline;

import java.nio.file.Path;

/**
 * What an agent keeps for days without a server.
 *
 * @param folder of what it keeps
 * @param isInTpm whether the machine's key is sealed by its TPM; otherwise it is a file, and PINs need eight characters
 */
public record OfflineSettings(Path folder, boolean isInTpm) {}
