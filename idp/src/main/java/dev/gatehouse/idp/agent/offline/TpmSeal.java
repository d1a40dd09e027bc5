package dev.gatehouse.idp.agent.offline;

import dev.gatehouse.common.key.PrivateFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A secret that only the machine's TPM 2.0 opens, by Debian's {@code tpm2-tools}: it is sealed under a key that the TPM derives from its
 * owner seed and never gives away. On disk are two files that are worth nothing without this TPM.
 */
final class TpmSeal {

  private static final String PUBLIC = "machine.tpm.pub";
  private static final String PRIVATE = "machine.tpm.priv";
  private static final int LONGEST_SECONDS = 60;

  private final Path folder;

  private final Map<String, String> environment;

  static TpmSeal of(OfflineSettings settings) {
    return new TpmSeal(settings.folder(), settings.tpm().map(tcti -> Map.of("TPM2TOOLS_TCTI", tcti)).orElse(Map.of()));
  }

  /** @param environment further variables of tpm2-tools, such as where the TPM is */
  TpmSeal(Path folder, Map<String, String> environment) {
    this.folder = folder;
    this.environment = Map.copyOf(environment);
  }

  /** Returns the secret; seals {@code fresh} where there is none. */
  byte[] open(byte[] fresh) throws IOException {
    Path work = Files.createTempDirectory(folder, ".tpm");
    try {
      Path primary = work.resolve("primary");
      run(new byte[0], "tpm2_createprimary", "-Q", "-C", "o", "-G", "ecc", "-c", primary.toString());
      Path sealedPublic = folder.resolve(PUBLIC);
      Path sealedPrivate = folder.resolve(PRIVATE);
      if (!Files.exists(sealedPublic) || !Files.exists(sealedPrivate)) {
        Path newPublic = work.resolve("pub");
        Path newPrivate = work.resolve("priv");
        run(fresh, "tpm2_create", "-Q", "-C", primary.toString(), "-i", "-", "-u", newPublic.toString(), "-r", newPrivate.toString());
        PrivateFiles.replace(sealedPublic, Files.readAllBytes(newPublic));
        PrivateFiles.replace(sealedPrivate, Files.readAllBytes(newPrivate));
      }
      Path loaded = work.resolve("loaded");
      run(
          new byte[0], "tpm2_load", "-Q", "-C", primary.toString(), "-u", sealedPublic.toString(), "-r", sealedPrivate.toString(), "-c",
          loaded.toString());
      return run(new byte[0], "tpm2_unseal", "-c", loaded.toString());
    } finally {
      remove(work);
    }
  }

  /** Runs a command, and unloads what it loaded: a TPM without resource manager has three places. */
  private byte[] run(byte[] input, String... command) throws IOException {
    byte[] output = once(input, command);
    once(new byte[0], "tpm2_flushcontext", "-Q", "-t");
    return output;
  }

  private byte[] once(byte[] input, String... command) throws IOException {
    Path errors = Files.createTempFile(folder, ".tpm", "");
    try {
      ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(List.of(command))).redirectError(errors.toFile());
      builder.environment().putAll(environment);
      Process process = builder.start();
      // Ends the output, too, that we read below.
      process.onExit().orTimeout(LONGEST_SECONDS, TimeUnit.SECONDS).exceptionally(late -> process.destroyForcibly());
      try (var in = process.getOutputStream()) {
        in.write(input);
      } catch (IOException e) {
        // It ended without reading; its status and words tell why.
      }
      byte[] output = process.getInputStream().readAllBytes();
      if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        process.destroyForcibly();
        String words = Files.readString(errors, StandardCharsets.UTF_8).strip().replace('\n', ' ');
        throw new IOException("the TPM did not do " + command[0] + ": " + words);
      }
      return output;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      Files.deleteIfExists(errors);
    }
  }

  private static void remove(Path work) throws IOException {
    try (Stream<Path> files = Files.list(work)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(work);
  }
}
