package dev.gatehouse.perf.otp;

import dev.gatehouse.perf.harness.Server;
import dev.gatehouse.perf.otp.OtpPeople.PinHash;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.FreePorts;
import dev.gatehouse.perf.server.GatehouseNode;
import dev.gatehouse.perf.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** A node that answers RADIUS for people of slapd, with durable embedded storage, and a token for each of them. */
record OtpServer(Server server, int radiusPort, int people) {

  static GatehouseNode.Configured configure(Path directory, ServerProcess slapd, int radiusPort) throws IOException {
    int port = FreePorts.take();
    String realm =
        """
        idp:
          publicUrl: http://127.0.0.1:%d
          contracts:
            token: {}
        radius:
          clients:
            vpn: {addresses: [127.0.0.1], secret: %s}
        %s"""
            .formatted(
                port, RadiusUser.SECRET,
                GatehouseNode.directory(slapd.port(), "uid: uid, cn: cn").stripTrailing() + "\n  idAttribute: uid\n");
    String listeners =
        GatehouseNode.listener("idp", port)
            + "\n  radius: {realm: " + OtpPeople.REALM + ", address: 127.0.0.1, port: " + radiusPort + "}";
    return GatehouseNode.configure("gatehouse", directory, "[idp]", listeners, "", port, Map.of(OtpPeople.REALM, realm));
  }

  /** Starts the node once for its keys and tables, stores tokens, and starts it again. */
  static Started start(Build build, String name, Path directory, ServerProcess slapd, int people)
      throws IOException, InterruptedException {
    int radiusPort = FreePorts.take();
    GatehouseNode.Configured configured = configure(directory, slapd, radiusPort);
    try (GatehouseNode first = configured.start(build)) {
      first.await();
    }
    try {
      OtpPeople.store(configured.data(), people, name.equals(ASIDE) ? PinHash.ASIDE : PinHash.ARGON2ID);
    } catch (SQLException e) {
      throw new IOException("tokens cannot be stored: " + e.getMessage(), e);
    }
    GatehouseNode node = configured.start(build).await();
    return new Started(node, new OtpServer(new Server(name, List.of(node.process(), slapd)), radiusPort, people));
  }

  static final String ASIDE = "Gatehouse, PIN hash aside";

  /** A node that runs, to be closed. */
  record Started(GatehouseNode node, OtpServer server) implements AutoCloseable {
    @Override
    public void close() {
      node.close();
    }
  }
}
