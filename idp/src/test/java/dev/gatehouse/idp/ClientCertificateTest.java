package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.JWK;
import dev.gatehouse.common.FreePorts;
import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.common.key.PeopleCa;
import dev.gatehouse.common.key.PeopleCa.Issued;
import dev.gatehouse.common.key.PeopleCa.CertificateSpec;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.Role;
import dev.gatehouse.common.realm.ClientAuthentication;
import dev.gatehouse.common.realm.ClientAuthentication.CertificateName;
import dev.gatehouse.common.realm.ClientAuthentication.CertificateName.Field;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.ClientConfig.Keys;
import dev.gatehouse.common.realm.ClientConfig.Requests;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.OAuthConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.idp.edge.IdpListeners;
import dev.gatehouse.idp.oauth.client.CertificateProofs;
import dev.gatehouse.idp.oauth.client.TestClients;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** OAuth clients that authenticate by TLS (RFC 8705), over real sockets and real handshakes. */
final class ClientCertificateTest {

  private static final PeopleCa CA = PeopleCa.create("CN=Clients CA,O=Example", SamlFixtures.NOW);
  private static final PeopleCa OTHERS = PeopleCa.create("CN=Others CA,O=Example", SamlFixtures.NOW);
  /** The CA of the listener's own certificate: handshakes use real time only. */
  private static final PeopleCa SERVERS = PeopleCa.create("CN=Servers CA", Instant.now());

  private static final Issued BANK = CA.issue(CertificateSpec.of("CN=bank,O=Example", PeopleCa.host("bank.example"), PeopleCa.address("192.0.2.44")));
  private static final Issued OWN = OTHERS.issue(CertificateSpec.of("CN=whoever"));
  private static final GenericApplicationContext PARENT = new GenericApplicationContext();

  @TempDir private static Path folder;

  private static int plain;
  private static int asking;
  private static ConfigurableApplicationContext server = PARENT;

  @BeforeAll
  static void start() throws Exception {
    plain = FreePorts.one();
    asking = FreePorts.one();
    Idp idp = new Idp(realm());
    Node.Tls tls = new Node.Tls(folder.resolve("cert.pem"), folder.resolve("key.pem"));
    Issued host =
        SERVERS.issue(CertificateSpec.of("CN=localhost", PeopleCa.host("localhost")).purpose(KeyPurposeId.id_kp_serverAuth));
    Files.writeString(tls.certificate(), PeopleCa.pem("CERTIFICATE", host.certificate().getEncoded()));
    Files.writeString(tls.privateKey(), PeopleCa.pem("PRIVATE KEY", host.privateKey().getEncoded()));
    Node.Listener ordinary = new Node.Listener(new InetSocketAddress("127.0.0.1", plain), Optional.empty());
    Node.Listener clients = new Node.Listener(new InetSocketAddress("127.0.0.1", asking), Optional.of(tls));
    Node node =
        new Node(
            Set.of(Role.IDP),
            new Node.Listeners(List.of(ordinary), List.of(), ordinary, Optional.empty(), Optional.of(clients)),
            Node.Storage.VOLATILE,
            folder,
            List.of(),
            new Node.AuditConfig(folder, 1_000_000, Duration.ofDays(1)),
            0,
            List.of());
    PARENT.registerBean(Node.class, () -> node);
    PARENT.setParent(idp.context);
    PARENT.refresh();
    server =
        new SpringApplicationBuilder(IdpApplication.class)
            .parent(PARENT)
            .web(WebApplicationType.SERVLET)
            .bannerMode(org.springframework.boot.Banner.Mode.OFF)
            .run();
    assertThat(server.getBean(IdpListeners.class).ports()).containsExactly(plain, asking);
  }

  @AfterAll
  static void stop() {
    server.close();
    PARENT.close();
  }

  private static Realm realm() throws Exception {
    OAuthConfig usual = OAuthConfig.USUAL;
    String jwks =
        StrictJson.write(Map.of("keys", List.of(Map.copyOf(JWK.parse(OWN.certificate()).toPublicJWK().toJSONObject()))));
    return TestRealms.change(TestRealms.demo())
        .idpUrl("http://localhost:" + plain)
        .contracts(
            new ContractsConfig(
                false, ContractsConfig.FORM_ALONE.secondFactor(), ContractsConfig.FORM_ALONE.totp(), Optional.empty(),
                Optional.empty(), Optional.empty(),
                Optional.of(TokenLogin.USUAL)))
        .oauth(
            new OAuthConfig(
                usual.accessTokenLife(), usual.refreshTokenLife(), usual.codeLife(), usual.deviceCodeLife(),
                usual.pushedLife(), usual.registration(), usual.scopes(), usual.claims(),
                Optional.of(URI.create("https://localhost:" + asking)), List.of(CA.certificate())))
        .clients(
            // RFC 4514 writes the last part first.
            byName("dn", Field.SUBJECT_DN, "o=Example, cn=bank"),
            byName("turned", Field.SUBJECT_DN, "CN=bank,O=Example"),
            byName("dns", Field.SAN_DNS, "bank.example"),
            byName("ip", Field.SAN_IP, "192.0.2.44"),
            byName("other", Field.SAN_DNS, "other.example"),
            agent(TestClients.keys("own", Method.SELF_SIGNED_TLS, new Keys.Jwks(jwks))),
            TestClients.secret("secret", Method.SECRET_BASIC))
        .realm();
  }

  private static ClientConfig agent(ClientConfig c) {
    ClientConfig.Permissions p = c.permissions();
    return new ClientConfig(
        c.clientId(), c.displayName(), c.authentication(),
        new ClientConfig.Permissions(
            p.grants(), p.redirectUris(), p.scopes(), p.resources(), Optional.of(new ClientConfig.Passcodes(Set.of(), 50))),
        c.login(), c.requests(), c.tokens(), c.keys(), c.logout(), c.about());
  }

  private static ClientConfig byName(String id, Field field, String name) {
    return TestClients.client(
        id,
        new ClientAuthentication(Set.of(Method.TLS), Optional.empty(), Optional.of(new CertificateName(field, name))),
        Optional.empty(),
        Requests.USUAL);
  }

  @Test
  void byTheNameInACertificateOfOurAuthority() throws Exception {
    for (String id : List.of("dns", "ip", "dn")) {
      HttpResponse<String> reply = token(holder(Optional.of(BANK)), "client_id=" + id);
      assertThat(reply.statusCode()).as(id + reply.body()).isEqualTo(200);
      assertThat(claims(reply)).containsEntry("cnf", Map.of("x5t#S256", CertificateProofs.thumbprint(BANK.certificate())));
    }
  }

  @Test
  void anotherNameOrAuthorityOrNoneIsRefused() throws Exception {
    HttpClient bank = holder(Optional.of(BANK));
    assertThat(refusal(token(bank, "client_id=other"))).isEqualTo("401 invalid_client: the certificate has another name than the client's");
    assertThat(refusal(token(bank, "client_id=turned")))
        .isEqualTo("401 invalid_client: the certificate has another name than the client's");
    Issued forged = OTHERS.issue(CertificateSpec.of("CN=bank,O=Example", PeopleCa.host("bank.example")));
    assertThat(refusal(token(holder(Optional.of(forged)), "client_id=dns")))
        .isEqualTo("401 invalid_client: no authority of ours issued the certificate, or it is not valid now");
    Issued expired = CA.issue(CertificateSpec.of("CN=bank", PeopleCa.host("bank.example")).valid(Duration.ofDays(-10), Duration.ofDays(1)));
    assertThat(refusal(token(holder(Optional.of(expired)), "client_id=dns")))
        .isEqualTo("401 invalid_client: no authority of ours issued the certificate, or it is not valid now");
    Issued forServers = CA.issue(CertificateSpec.of("CN=bank", PeopleCa.host("bank.example")).purpose(KeyPurposeId.id_kp_serverAuth));
    assertThat(refusal(token(holder(Optional.of(forServers)), "client_id=dns")))
        .isEqualTo("401 invalid_client: no authority of ours issued the certificate, or it is not valid now");
    assertThat(refusal(token(holder(Optional.empty()), "client_id=dns")))
        .isEqualTo("401 invalid_client: the client came without its certificate");
  }

  @Test
  void byItsOwnCertificateWhoseKeyItRegistered() throws Exception {
    HttpResponse<String> reply = token(holder(Optional.of(OWN)), "client_id=own");
    assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
    assertThat(claims(reply)).containsEntry("cnf", Map.of("x5t#S256", CertificateProofs.thumbprint(OWN.certificate())));
    assertThat(refusal(token(holder(Optional.of(BANK)), "client_id=own")))
        .isEqualTo("401 invalid_client: the certificate's key is not among the client's");
  }

  @Test
  void anAgentAsksAboutPasscodesByItsCertificate() throws Exception {
    String path = "/realms/demo/otp/v1/authentications";
    String form = "client_id=own&name=nobody&passcode=2468123456";
    HttpResponse<String> reply = send(holder(Optional.of(OWN)), request(path, form));
    assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
    assertThat(reply.body()).isEqualTo("{\"result\":\"reject\"}");
    assertThat(refusal(send(holder(Optional.of(BANK)), request(path, form))))
        .isEqualTo("401 invalid_client: the certificate's key is not among the client's");
    assertThat(send(holder(Optional.empty()), request(path, form)).statusCode()).isEqualTo(401);
  }

  @Test
  void whoeverElseComesWithACertificateBindsTokensToIt() throws Exception {
    String basic =
        Base64.getEncoder()
            .encodeToString(("secret:" + URLEncoder.encode(TestClients.SECRET, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8));
    HttpResponse<String> reply =
        send(
            holder(Optional.of(OWN)),
            request("/realms/demo/oauth/token", "grant_type=client_credentials").header("Authorization", "Basic " + basic));
    assertThat(claims(reply)).containsEntry("cnf", Map.of("x5t#S256", CertificateProofs.thumbprint(OWN.certificate())));
  }

  @Test
  void aCertificateCountsNowhereElse() throws Exception {
    HttpResponse<String> reply =
        send(
            holder(Optional.of(BANK)),
            HttpRequest.newBuilder(URI.create("http://localhost:" + plain + "/realms/demo/oauth/token"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("grant_type=client_credentials&client_id=dns")));
    assertThat(refusal(reply)).isEqualTo("401 invalid_client: the client came without its certificate");
  }

  @Test
  void thereAreNoPages() throws Exception {
    HttpClient bank = holder(Optional.of(BANK));
    for (String path : List.of("/realms/demo/login", "/realms/demo/account", "/realms/demo/oauth/authorize", "/realms/demo/saml/sso",
        "/realms/demo/login/certificate", "/realms/demo/device")) {
      HttpResponse<String> page = send(bank, HttpRequest.newBuilder(URI.create("https://localhost:" + asking + path)).GET());
      assertThat(page.statusCode()).as(path).isEqualTo(404);
    }
    HttpResponse<String> none = send(bank, HttpRequest.newBuilder(URI.create("https://localhost:" + asking + "/realms/none/oauth/token")).GET());
    assertThat(none.statusCode()).isEqualTo(421);
  }

  private static HttpRequest.Builder request(String path, String form) {
    return HttpRequest.newBuilder(URI.create("https://localhost:" + asking + path))
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(BodyPublishers.ofString(form));
  }

  private static HttpResponse<String> token(HttpClient client, String form) throws Exception {
    return send(client, request("/realms/demo/oauth/token", "grant_type=client_credentials&" + form));
  }

  private static HttpResponse<String> send(HttpClient client, HttpRequest.Builder request) throws Exception {
    return client.send(request.timeout(Duration.ofSeconds(20)).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static String refusal(HttpResponse<String> reply) {
    Map<String, Object> json = StrictJson.object(reply.body().getBytes(StandardCharsets.UTF_8)).orElseThrow();
    return reply.statusCode() + " " + json.get("error") + ": " + json.get("error_description");
  }

  private static Map<String, Object> claims(HttpResponse<String> reply) {
    Map<String, Object> json = StrictJson.object(reply.body().getBytes(StandardCharsets.UTF_8)).orElseThrow();
    String jwt = String.valueOf(json.get("access_token"));
    return StrictJson.object(Base64.getUrlDecoder().decode(jwt.split("\\.")[1])).orElseThrow();
  }

  private static HttpClient holder(Optional<Issued> mine) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    if (mine.isPresent()) {
      store.setKeyEntry("mine", mine.get().privateKey(), new char[0], new X509Certificate[] {mine.get().certificate()});
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, new char[0]);
    KeyStore trust = KeyStore.getInstance("PKCS12");
    trust.load(null, null);
    trust.setCertificateEntry("servers", SERVERS.certificate());
    TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(trust);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trusted.getTrustManagers(), new SecureRandom());
    return HttpClient.newBuilder().sslContext(context).connectTimeout(Duration.ofSeconds(10)).build();
  }
}
