package dev.gatehouse.idp;

import com.eatthepath.otp.TimeBasedOneTimePasswordGenerator;
import com.nimbusds.jose.jwk.JWK;
import dev.gatehouse.common.FreePorts;
import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.common.key.PeopleCa;
import dev.gatehouse.common.key.PeopleCa.CertificateSpec;
import dev.gatehouse.common.key.PeopleCa.Issued;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.Role;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.ClientConfig.Keys;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.OAuthConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.idp.agent.Agent;
import dev.gatehouse.idp.agent.AgentSettings;
import dev.gatehouse.idp.agent.AgentYaml;
import dev.gatehouse.idp.agent.server.RealmEpoch;
import dev.gatehouse.idp.oauth.client.TestClients;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.idp.otp.PinCost;
import dev.gatehouse.idp.otp.TokenSeeds;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** A real identity provider with listeners, and what agents of its realm need to ask it by mutual TLS. */
final class AgentWorld implements AutoCloseable {

  static final String SECRET = "a-secret-for-this-host";

  private static final byte[] SEED = "12345678901234567890".getBytes(StandardCharsets.US_ASCII);
  private static final PeopleCa SERVERS = PeopleCa.create("CN=Servers CA", Instant.now());
  private static final PeopleCa HOSTS = PeopleCa.create("CN=Hosts CA", Instant.now());
  private static final Issued OWN = HOSTS.issue(CertificateSpec.of("CN=host"));
  private static final Issued OTHER = HOSTS.issue(CertificateSpec.of("CN=other"));

  final Idp idp;
  private final Path folder;
  private final int asking = FreePorts.one();
  private final int plain = FreePorts.one();
  private final GenericApplicationContext parent = new GenericApplicationContext();
  private final ConfigurableApplicationContext server;

  AgentWorld(Path folder) throws Exception {
    this.folder = folder;
    // What agents compute, too.
    idp = new Idp(new TestTime(SamlFixtures.NOW), PinCost.USUAL, realm(TokenLogin.USUAL));
    Node.Tls tls = new Node.Tls(folder.resolve("cert.pem"), folder.resolve("key.pem"));
    write("cert.pem", "key.pem",
        SERVERS.issue(CertificateSpec.of("CN=localhost", PeopleCa.host("localhost")).purpose(KeyPurposeId.id_kp_serverAuth)));
    write("host.crt", "host.key", OWN);
    write("other.crt", "other.key", OTHER);
    Files.writeString(folder.resolve("ca.pem"), PeopleCa.pem("CERTIFICATE", SERVERS.certificate().getEncoded()));
    Files.createDirectories(folder.resolve("secrets"));
    Files.writeString(folder.resolve("secrets/radius"), SECRET + "\n");
    Node.Listener ordinary = new Node.Listener(new InetSocketAddress("127.0.0.1", plain), Optional.empty());
    Node.Listener clients = new Node.Listener(new InetSocketAddress("127.0.0.1", asking), Optional.of(tls));
    Node node =
        new Node(
            Set.of(Role.IDP), new Node.Listeners(List.of(ordinary), List.of(), ordinary, Optional.empty(), Optional.of(clients)),
            Node.Storage.VOLATILE, folder, List.of(), new Node.AuditConfig(folder, 1_000_000, Duration.ofDays(1)), 0, List.of());
    parent.registerBean(Node.class, () -> node);
    parent.setParent(idp.context);
    parent.refresh();
    server =
        new SpringApplicationBuilder(IdpApplication.class)
            .parent(parent)
            .web(WebApplicationType.SERVLET)
            .bannerMode(org.springframework.boot.Banner.Mode.OFF)
            .run();
  }

  private void write(String certificate, String key, Issued issued) throws Exception {
    Files.writeString(folder.resolve(certificate), PeopleCa.pem("CERTIFICATE", issued.certificate().getEncoded()));
    Files.writeString(folder.resolve(key), PeopleCa.pem("PRIVATE KEY", issued.privateKey().getEncoded()));
  }

  /** Says who chooses a new PIN. */
  void chosenBy(TokenLogin.ChosenBy chosenBy) throws Exception {
    TokenLogin.Pin pin = TokenLogin.USUAL.pin();
    idp.realms.set(
        realm(
            new TokenLogin(
                new TokenLogin.Pin(pin.least(), pin.most(), pin.letters(), pin.former(), chosenBy), TokenLogin.USUAL.nextCodeAfter(),
                TokenLogin.USUAL.lockAfter(), TokenLogin.USUAL.lockFor())));
  }

  private Realm realm(TokenLogin tokens) throws Exception {
    OAuthConfig usual = OAuthConfig.USUAL;
    return TestRealms.change(TestRealms.demo())
        .idpUrl("http://localhost:" + plain)
        .contracts(
            new ContractsConfig(
                false, ContractsConfig.FORM_ALONE.secondFactor(), ContractsConfig.FORM_ALONE.totp(), Optional.empty(), Optional.empty(),
                Optional.empty(), Optional.of(tokens)))
        .oauth(
            new OAuthConfig(
                usual.accessTokenLife(), usual.refreshTokenLife(), usual.codeLife(), usual.deviceCodeLife(), usual.pushedLife(),
                usual.registration(), usual.scopes(), usual.claims(), Optional.of(URI.create("https://localhost:" + asking)), List.of()))
        .clients(agent("host", OWN), agent("other", OTHER))
        .realm();
  }

  private static ClientConfig agent(String id, Issued certificate) throws Exception {
    String jwks = StrictJson.write(Map.of("keys", List.of(Map.copyOf(JWK.parse(certificate.certificate()).toPublicJWK().toJSONObject()))));
    ClientConfig c = TestClients.keys(id, Method.SELF_SIGNED_TLS, new Keys.Jwks(jwks));
    ClientConfig.Permissions p = c.permissions();
    return new ClientConfig(
        c.clientId(), c.displayName(), c.authentication(),
        new ClientConfig.Permissions(
            p.grants(), p.redirectUris(), p.scopes(), p.resources(), Optional.of(new ClientConfig.Passcodes(Set.of(), 50, 3))),
        c.login(), c.requests(), c.tokens(), c.keys(), c.logout(), c.about());
  }

  /** Where the identity provider is. */
  String server() {
    return "127.0.0.1:" + asking;
  }

  /** Where nobody listens. */
  static String nobody() {
    return "127.0.0.1:" + FreePorts.one();
  }

  /**
   * An agent that runs, by the clock of the identity provider.
   *
   * @param id host or other
   * @param more lines of its configuration
   */
  Agent agent(String id, String server, String more) throws Exception {
    return agent(id, server, more, Map.of());
  }

  /** The same, with variables of the environment. */
  Agent agent(String id, String server, String more, Map<String, String> environment) throws Exception {
    Path file = folder.resolve(id + ".yaml");
    Files.writeString(
        file,
        """
        client: {id: %1$s, key: %1$s.key, certificate: %1$s.crt}
        realm: https://localhost:%4$d/realms/demo
        servers: ['%2$s']
        ca: ca.pem
        timeouts: {connect: 10s, probe: 10s, request: 20s}
        radius: {port: 0, secret: {secret: radius}}
        socket: {path: %1$s.socket}
        state: %1$s-state
        %3$s
        """
            .formatted(id, server, more, asking));
    AgentSettings settings = AgentYaml.read(file, environment);
    Agent agent = new Agent(settings, RealmEpoch.open(settings.state(), settings.servers().realm()), idp.time, new SecureRandom());
    try {
      agent.open();
    } catch (IOException e) {
      agent.close();
      throw e;
    }
    return agent;
  }

  void giveToken(String pin) {
    idp.context.getBean(TokenSeeds.class).ensure("demo", "t-host", SEED, FakeDirectory.ALICE.id(), pin);
  }

  /** The person needs a new PIN at the next login. */
  void demandNewPin() {
    Idp.TOKENS.keepPins("demo", FakeDirectory.ALICE.id(), Idp.TOKENS.holder("demo", FakeDirectory.ALICE.id()).sealedPins(), true);
  }

  void takeToken() {
    Idp.TOKENS.erase("demo", FakeDirectory.ALICE.id());
    Idp.TOKENS.remove("demo", "t-host");
    // What was fetched for offline days is over a day later.
    idp.time.advance(Duration.ofDays(1));
  }

  /** The code that the token shows so many steps from now. */
  String code(int steps) {
    try {
      return new TimeBasedOneTimePasswordGenerator()
          .generateOneTimePasswordString(new SecretKeySpec(SEED, "RAW"), idp.time.instant().plusSeconds(30L * steps));
    } catch (java.security.GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    server.close();
    parent.close();
  }
}
