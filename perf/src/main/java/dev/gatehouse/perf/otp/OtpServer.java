package dev.gatehouse.perf.otp;

import dev.gatehouse.perf.gateway.Certificates;
import dev.gatehouse.perf.harness.Server;
import dev.gatehouse.perf.otp.OtpPeople.PinHash;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.FreePorts;
import dev.gatehouse.perf.server.GatehouseNode;
import dev.gatehouse.perf.server.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A node that answers RADIUS for people of slapd, with durable embedded storage, and a token for each of them.
 *
 * @param settled when codes can be used no more that may have been used before the node's data were there
 */
record OtpServer(Server server, GatehouseNode node, Ports ports, Path directory, int people, Instant settled) implements AutoCloseable {

  /**
   * With new data, codes are used up in rows as well as by marks, until no code can come any more that may have been used before: eleven
   * time steps, from a minute before the data. That is the start of an installation, and not what is measured.
   */
  private static final Duration SETTLES = Duration.ofSeconds(300);

  /** @param certificates of the listener that takes certificates of agents */
  record Ports(int radius, int certificates) {}

  /**
   * What the realm trusts.
   *
   * @param section of the realm's configuration
   * @param files beside it, by name
   */
  record Trust(String section, Map<String, String> files) {
    static final Trust NONE = new Trust("", Map.of());
  }

  /**
   * What differs between nodes.
   *
   * @param more keys of gatehouse.yaml
   */
  record Setting(PinHash hash, Ports ports, Trust trust, String more) {}

  private static GatehouseNode.Configured configure(Path directory, ServerProcess slapd, Setting setting)
      throws IOException, InterruptedException {
    Ports ports = setting.ports();
    Trust trust = setting.trust();
    int port = FreePorts.take();
    Certificates certificates = Certificates.p256(directory);
    String agent = agent(AgentKey.AGENT, 0) + OfflineUser.DAYS.stream().map(days -> agent(OfflineUser.agent(days), days)).collect(Collectors.joining());
    String realm =
        """
        idp:
          publicUrl: http://127.0.0.1:%d
          contracts:
            token: {}
          oauth:
            certificateUrl: https://127.0.0.1:%d
        radius:
          clients:
            vpn: {addresses: [127.0.0.1], secret: %s}
        %sclients:
        %s%s  idAttribute: uid
        """
            .formatted(
                port, ports.certificates(), RadiusUser.SECRET, trust.section(), agent,
                GatehouseNode.directory(slapd.port(), "uid: uid, cn: cn"));
    String listeners =
        GatehouseNode.listener("idp", port)
            + "\n  radius: {realm: " + OtpPeople.REALM + ", address: 127.0.0.1, port: " + ports.radius() + "}"
            + "\n  clientCertificates: {address: 127.0.0.1, port: " + ports.certificates()
            + ", certificate: " + certificates.certificate() + ", privateKey: " + certificates.privateKey() + "}";
    GatehouseNode.Configured node =
        GatehouseNode.configure("gatehouse", directory, "[idp]", listeners, setting.more(), port, Map.of(OtpPeople.REALM, realm));
    Files.writeString(node.config().resolve("realms/agent.json"), AgentKey.read(certificates, "-").jwks());
    for (Map.Entry<String, String> file : trust.files().entrySet()) {
      Files.writeString(node.config().resolve("realms").resolve(file.getKey()), file.getValue());
    }
    return node;
  }

  private static String agent(String name, int offlineDays) {
    return """
          - clientId: %s
            grants: []
            authentication: [private_key_jwt, self_signed_tls_client_auth]
            jwks: agent.json
            passcodes: {perSecond: 100000, visitors: true, offlineDays: %d}
        """
        .formatted(name, offlineDays);
  }

  AgentKey agentKey() throws IOException {
    Certificates files = new Certificates(directory.resolve("p256.crt"), directory.resolve("p256.key"));
    return AgentKey.read(files, node.url() + "/realms/" + OtpPeople.REALM);
  }

  URI url(AgentUser.Proof proof) {
    return URI.create(
        switch (proof) {
          case CERTIFICATE -> "https://127.0.0.1:" + ports.certificates();
          case ASSERTION -> node.url();
        });
  }

  /** Starts the node once for its keys and tables, stores tokens, and starts it again. */
  static OtpServer start(Build build, String name, Path directory, ServerProcess slapd, int people)
      throws IOException, InterruptedException {
    return start(build, name, directory, slapd, people, name.equals(OURS) ? PinHash.ARGON2ID : PinHash.ASIDE);
  }

  static OtpServer start(Build build, String name, Path directory, ServerProcess slapd, int people, PinHash hash)
      throws IOException, InterruptedException {
    Setting alone = new Setting(hash, new Ports(FreePorts.take(), FreePorts.take()), Trust.NONE, "");
    return start(build, name, directory, slapd, people, alone);
  }

  static OtpServer start(Build build, String name, Path directory, ServerProcess slapd, int people, Setting setting)
      throws IOException, InterruptedException {
    GatehouseNode.Configured configured = configure(directory, slapd, setting);
    Instant settled = Instant.now().plus(SETTLES);
    try (GatehouseNode first = configured.start(build)) {
      first.await();
    }
    try {
      OtpPeople.store(configured.data(), people, setting.hash());
    } catch (SQLException e) {
      throw new IOException("tokens cannot be stored: " + e.getMessage(), e);
    }
    GatehouseNode node = configured.start(build).await();
    return new OtpServer(new Server(name, List.of(node.process(), slapd)), node, setting.ports(), directory, people, settled);
  }

  static final String OURS = "Gatehouse";
  static final String ASIDE = "Gatehouse, PIN hash aside";

  /** Waits until it is as it will be for the rest of its life. */
  OtpServer settle() throws InterruptedException {
    Duration left = Duration.between(Instant.now(), settled);
    if (left.isPositive()) {
      System.err.println("new data settle for " + left.toSeconds() + " s");
      Thread.sleep(left);
    }
    return this;
  }

  @Override
  public void close() {
    node.close();
  }
}
