package dev.gatehouse.common.realm.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.common.realm.Realm.RadiusConfig;
import dev.gatehouse.common.realm.Realm.RadiusConfig.Attributes;
import dev.gatehouse.common.realm.Realm.RadiusConfig.Client;
import dev.gatehouse.common.realm.Realm.RadiusConfig.Reply;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.saml.message.SamlFixtures;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The keys of RADIUS, of realm and node, and their mistakes. */
class RadiusKeysTest {

  private static final String CLIENT = "radius: {clients: {vpn: {addresses: 192.0.2.10, secret: 0123456789abcdef}}}\n";

  private final Path path;
  private final ConfigurationFolder folder;

  RadiusKeysTest(@TempDir Path path) {
    this.path = path;
    this.folder = ConfigurationFolder.minimal(path);
  }

  @Test
  void everyKeyOfTheRealm() throws Exception {
    folder.environment.put("VPN", "a secret of more than 16 bytes");
    folder.demo(
        ConfigurationFolder.MINIMAL
            + """
            radius:
              clients:
                vpn:
                  addresses: [192.0.2.10, "2001:db8::/64"]
                  secret: ${VPN}
                  certificate: VPN.example.org
                  roles: [staff]
                  language: de
                  showsPins: true
                local: {addresses: 127.0.0.0/8, secret: short}
                radsec: {certificate: proxy.example.org}
              replies:
                - {roles: [manager], clients: [vpn], filterId: managers, class: a class, vlan: 20, sessionTimeout: 8h}
                - {}
            """);
    assertThat(folder.realm().parties().radius())
        .contains(
            new RadiusConfig(
                List.of(
                    new Client(
                        "vpn", List.of(block("192.0.2.10", 32), block("2001:db8::", 64)), Optional.of(new Secret("a secret of more than 16 bytes")),
                        Optional.of("vpn.example.org"), Set.of("staff"), "de", true),
                    new Client(
                        "local", List.of(block("127.0.0.0", 8)), Optional.of(new Secret("short")), Optional.empty(), Set.of(), "en", false),
                    new Client("radsec", List.of(), Optional.empty(), Optional.of("proxy.example.org"), Set.of(), "en", false)),
                List.of(
                    new Reply(
                        Set.of("manager"), Set.of("vpn"),
                        new Attributes(Optional.of("managers"), Optional.of("a class"), Optional.of("20"), Optional.of(Duration.ofHours(8)))),
                    new Reply(Set.of(), Set.of(), Attributes.NONE))));
  }

  @Test
  void everyKeyOfTheNode() throws Exception {
    folder.pem("tls/radius", SamlFixtures.idpP256Key());
    folder.write("tls/ca.pem", java.nio.file.Files.readString(authority()));
    folder.demo(ConfigurationFolder.MINIMAL + CLIENT);
    folder.node(
        """
        listeners:
          idp: {port: 1812}
          radius: [{realm: demo}, {realm: demo, address: 127.0.0.1, port: 1813}]
          radsec: {realm: demo, certificate: tls/radius.pem, privateKey: tls/radius.key, ca: tls/ca.pem}
        """);
    Node.Tls tls = new Node.Tls(path.resolve("tls/radius.pem"), path.resolve("tls/radius.key"));
    assertThat(folder.load().node().listeners().radius())
        .containsExactly(
            new Node.RadiusListener("demo", new Node.Listener(new InetSocketAddress("0.0.0.0", 1812), Optional.empty())),
            new Node.RadiusListener("demo", new Node.Listener(new InetSocketAddress("127.0.0.1", 1813), Optional.empty())),
            new Node.RadiusListener(
                "demo",
                new Node.Listener(new InetSocketAddress("0.0.0.0", 2083), Optional.of(tls), List.of(), Optional.of(path.resolve("tls/ca.pem")))));
  }

  private Path authority() throws Exception {
    var ca = dev.gatehouse.common.key.PeopleCa.create("CN=CA", SamlFixtures.NOW);
    return java.nio.file.Files.writeString(
        path.resolve("made.pem"), dev.gatehouse.common.key.PeopleCa.pem("CERTIFICATE", ca.certificate().getEncoded()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                                                             | names nobody who may ask
          {clients: {vpn: {}}}                                                           | write addresses and secret for UDP
          {clients: {vpn: {addresses: 192.0.2.1}}}                                       | is missing, and certificate too
          {clients: {vpn: {addresses: 192.0.2.1, certificate: a.example}}}               | stand without secret
          {clients: {vpn: {secret: 0123456789abcdef}}}                                   | stands without addresses
          {clients: {vpn: {addresses: 192.0.2.1, secret: short}}}                        | has fewer than 16 bytes
          {clients: {vpn: {addresses: 0.0.0.0/0, secret: 0123456789abcdef}}}             | is every address there is
          {clients: {"v p": {certificate: a.example}}}                                   | has a client with the name `v p`
          {clients: {a: {certificate: x.example}, b: {certificate: X.example}}}          | is also of a
          {clients: {a: {certificate: "*.example"}}}                                     | is not a DNS name
          {clients: {a: {certificate: a.example}}, replies: [{clients: b}]}              | `b` is not one of radius.clients
          {clients: {a: {certificate: a.example, language: fr}}}                         | write one of en, de
          {clients: {a: {addresses: ["::1", "::1"], secret: s}}}                         | is there twice
          """)
  void mistakesOfTheRealm(String radius, String message) throws Exception {
    folder.demo(ConfigurationFolder.MINIMAL + "radius: " + radius + "\n");
    assertThatThrownBy(folder::load).hasMessageContaining(message);
  }

  @Test
  void attributesHaveSoManyBytes() throws Exception {
    folder.demo(ConfigurationFolder.MINIMAL + CLIENT.replace("}}}", "}}, replies: {class: " + "ä".repeat(127) + "}}"));
    assertThatThrownBy(folder::load).hasMessageContaining("has more than 253 bytes");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          radius: {realm: demo}                                     | which is no realm with radius
          radius: {realm: nowhere}                                  | which is no realm with radius
          radius: {port: 1812}                                      | name the realm whose people and clients it serves
          radsec: {realm: demo, ca: tls/ca.pem}                     | RADIUS over TCP needs TLS
          """)
  void mistakesOfTheNode(String listeners, String message) throws Exception {
    folder.write("tls/ca.pem", java.nio.file.Files.readString(authority()));
    folder.node("listeners:\n  " + listeners + "\n");
    assertThatThrownBy(folder::load).hasMessageContaining(message);
  }

  @Test
  void aPortOfUdpIsAnotherThanOneOfTcp() throws Exception {
    folder.demo(ConfigurationFolder.MINIMAL + CLIENT);
    folder.node("listeners: {idp: {port: 1812}, radius: {realm: demo, port: 1812}}");
    assertThat(folder.load().node().listeners().radius()).hasSize(1);
    folder.node("listeners: {radius: [{realm: demo}, {realm: demo}]}");
    assertThatThrownBy(folder::load).hasMessageContaining("give each listener its own port");
  }

  @Test
  void tokensNeedPeople() throws Exception {
    folder.demo("sp: {publicUrl: http://app.localhost, identityProvider: a:b}\n" + CLIENT);
    assertThatThrownBy(folder::load).hasMessageContaining("needs an idp, whose people have tokens");
  }

  private static Cidr block(String network, int prefix) {
    return new Cidr(InetAddress.ofLiteral(network), prefix);
  }
}
