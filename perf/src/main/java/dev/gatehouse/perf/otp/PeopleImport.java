package dev.gatehouse.perf.otp;

import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.FreePorts;
import dev.gatehouse.perf.server.GatehouseNode;
import dev.gatehouse.perf.server.ServerProcess;
import dev.gatehouse.perf.server.SlapdServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Synchronises the people of a slapd with a node that has nobody yet, and then once more, when there is nothing to do. */
final class PeopleImport {

  /**
   * What it took, in seconds from the request to the end of the job.
   *
   * @param nothing of the run that finds nothing to do
   */
  record Times(int people, double first, double nothing) {}

  private PeopleImport() {}

  static Times measure(Path work, int people) throws IOException, InterruptedException {
    Path folder = Files.createDirectories(work.resolve("people"));
    int port = FreePorts.take();
    Build build = Build.here();
    try (ServerProcess slapd = SlapdServer.start(folder, people)) {
      String realm =
          """
          idp:
            publicUrl: http://127.0.0.1:%d
            contracts:
              token: {}
          otp:
            people: {}
          %s
          """
              .formatted(port, GatehouseNode.directory(slapd.port(), "uid: uid, cn: cn"));
      GatehouseNode.Configured configured =
          GatehouseNode.configure("node", folder, "[idp]", GatehouseNode.listener("idp", port), "", port, Map.of(OtpPeople.REALM, realm));
      try (GatehouseNode node = configured.start(build).await();
          AdminCalls administrator = AdminCalls.at(build, node.configured())) {
        return new Times(people, synchronise(administrator, people), synchronise(administrator, 0));
      }
    }
  }

  /** @param added how many people have to be new */
  private static double synchronise(AdminCalls administrator, int added) throws IOException, InterruptedException {
    long begun = System.nanoTime();
    JsonNode result = administrator.job("realms/" + OtpPeople.REALM + "/token-people/synchronise", "");
    double seconds = (System.nanoTime() - begun) / 1e9;
    if (result.path("added").asInt(-1) != added) {
      throw new IOException("not the expected synchronisation: " + result);
    }
    return seconds;
  }
}
