package dev.gatehouse.idp.otp.radius;

import dev.gatehouse.common.audit.AuditRateLimit;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.common.realm.FixedRealms;
import dev.gatehouse.common.realm.Realm.RadiusConfig;
import dev.gatehouse.common.realm.Realm.RadiusConfig.Attributes;
import dev.gatehouse.common.realm.Realm.RadiusConfig.Client;
import dev.gatehouse.common.realm.Realm.RadiusConfig.Reply;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.idp.otp.PasscodeCheck;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** A server on loopback with some clients, and a table of passcodes. Clients are addresses of 127.0.0.0/8. */
final class RadiusWorld implements AutoCloseable {

  static final String VPN_SECRET = "the secret of the VPN server";
  static final String WIFI_SECRET = "the secret of the Wi-Fi gateway";

  final RecordingAuditLog audit = new RecordingAuditLog();
  final Counter unwritten = new SimpleMeterRegistry().counter("unwritten");
  final TablePasscodes passcodes =
      new TablePasscodes()
          .person("carol", Set.of("employee"), "2468111111", "2468222222", "2468333333", "2468444444")
          .person("bob", Set.of("employee", "manager"), "1357111111", "1357222222")
          .person("guest", Set.of(), "0000111111", "0000222222");
  final RadiusMetrics metrics = new RadiusMetrics(Optional.empty(), Optional.empty(), 100);
  final RadiusServer server;

  /** @param around what stands between the server and the table of passcodes */
  private RadiusWorld(List<Node.RadiusListener> listeners, UnaryOperator<PasscodeCheck> around) {
    PasscodeCheck check = around.apply(passcodes);
    Node.Listener unused = new Node.Listener(new InetSocketAddress("127.0.0.1", 0), Optional.empty());
    Node node =
        new Node(
            Set.of(),
            new Node.Listeners(
                List.of(), List.of(), unused, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), listeners),
            Node.Storage.VOLATILE, Path.of("unused"), List.of(), new Node.AuditConfig(Path.of("unused"), 1 << 20, Duration.ofDays(1)), 0,
            List.of());
    server =
        new RadiusServer(
            node, new FixedRealms(realm()), (r, visitors) -> Optional.of(check), audit, refusals(audit, unwritten), InstantSource.system(),
            metrics, Duration.ofSeconds(2));
    server.open();
  }

  static RefusalLog refusals(RecordingAuditLog audit, Counter unwritten) {
    return new RefusalLog(audit, new AuditRateLimit(InstantSource.system()), unwritten, new SecureRandom());
  }

  static RadiusWorld overUdp() {
    return overUdp(UnaryOperator.identity());
  }

  static RadiusWorld overUdp(UnaryOperator<PasscodeCheck> around) {
    return new RadiusWorld(
        List.of(new Node.RadiusListener("demo", new Node.Listener(new InetSocketAddress("127.0.0.1", 0), Optional.empty()))), around);
  }

  static RadiusWorld overTls(Node.Tls tls, Path authorities) {
    Node.Listener listener = new Node.Listener(new InetSocketAddress("127.0.0.1", 0), Optional.of(tls), List.of(), Optional.of(authorities));
    return new RadiusWorld(List.of(new Node.RadiusListener("demo", listener)), UnaryOperator.identity());
  }

  int port() {
    return server.ports().getFirst();
  }

  static Realm realm() {
    ContractsConfig plain = ContractsConfig.FORM_ALONE;
    Realm demo =
        TestRealms.change(TestRealms.demo())
            .contracts(
                new ContractsConfig(
                    false, plain.secondFactor(), plain.totp(), Optional.empty(), Optional.empty(), Optional.empty(),
                    Optional.of(TokenLogin.USUAL)))
            .realm();
    List<Client> clients = new ArrayList<>();
    clients.add(client("vpn", "127.0.0.1", 32, VPN_SECRET, Set.of(), "en"));
    clients.add(client("wifi", "127.0.1.0", 24, WIFI_SECRET, Set.of("employee"), "de"));
    Attributes staff = new Attributes(Optional.of("staff"), Optional.of("class-staff"), Optional.of("20"), Optional.of(Duration.ofHours(8)));
    Attributes managers = new Attributes(Optional.of("managers"), Optional.empty(), Optional.empty(), Optional.empty());
    RadiusConfig radius =
        new RadiusConfig(
            List.copyOf(clients),
            List.of(new Reply(Set.of("manager"), Set.of("vpn"), managers), new Reply(Set.of("employee"), Set.of(), staff)));
    return new Realm(
        demo.name(), demo.revision(), demo.brand(), demo.keys(), demo.idp(), demo.sp(), demo.directory(),
        new Realm.Parties(List.of(), List.of(), List.of(), Optional.of(radius)), demo.gateway(), demo.federation());
  }

  private static Client client(String name, String network, int prefix, String secret, Set<String> roles, String language) {
    return new Client(
        name, List.of(new Cidr(InetAddress.ofLiteral(network), prefix)), Optional.of(new Secret(secret)), Optional.of(name + ".example.org"),
        roles, false, language, name.equals("vpn"));
  }

  @Override
  public void close() {
    server.close();
  }
}
