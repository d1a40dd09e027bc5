package dev.gatehouse.perf.server;

import dev.gatehouse.perf.data.People;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs {@code ./gatehouse federate bulk} on the stores of nodes that do not run yet: each person has the same name at
 * both ends.
 */
final class BulkFederation {

  private final Build build;
  private final Path directory;
  private final int people;
  private final GatehouseNode.Configured idp;
  private final GatehouseNode.Configured sp;

  BulkFederation(
      Build build, Path directory, int people, GatehouseNode.Configured idp, GatehouseNode.Configured sp) {
    this.build = build;
    this.directory = directory;
    this.people = people;
    this.idp = idp;
    this.sp = sp;
  }

  /** @param realm the realm on both nodes */
  void federate(String realm, String idpUrl, String appUrl) throws IOException, InterruptedException {
    Path log = directory.resolve("federate-" + realm + ".log");
    List<String> command =
        build.command(
            "federate", "bulk",
            "--config", idp.config().toString(),
            "--realm", realm,
            "--sp", appUrl + "/.gatehouse/saml/metadata",
            "--sp-config", sp.config().toString(),
            "--sp-realm", realm,
            "--idp", idpUrl + "/realms/" + realm,
            "--file", file(realm).toString());
    long begin = System.nanoTime();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (process.waitFor() != 0) {
      throw new IOException("federate bulk failed:\n" + Files.readString(log));
    }
    System.err.printf("%s: %,d people federated in %d s%n", realm, people, (System.nanoTime() - begin) / 1_000_000_000);
  }

  /** One file for each realm, because the progress is stored beside it. */
  private Path file(String realm) throws IOException {
    Path file = directory.resolve("federate-" + realm + ".csv");
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (int n = 1; n <= people; n++) {
        out.write(People.name(n) + "," + People.name(n) + "\n");
      }
    }
    return file;
  }
}
