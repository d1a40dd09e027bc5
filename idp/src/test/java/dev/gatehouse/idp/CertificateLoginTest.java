package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.FreePorts;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.key.PeopleCa;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.Role;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.ContractsConfig.CertificateField;
import dev.gatehouse.common.realm.ContractsConfig.CertificateLogin;
import dev.gatehouse.common.realm.ContractsConfig.SecondFactor;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.idp.edge.IdpListeners;
import dev.gatehouse.idp.session.AuthnContexts;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** Login by client certificate, over real sockets and real handshakes. */
final class CertificateLoginTest {

  private static final PeopleCa CA = PeopleCa.create("CN=People CA,O=Example", SamlFixtures.NOW);
  /** The CA of the listener's own certificate: handshakes use real time only. */
  private static final PeopleCa SERVERS = PeopleCa.create("CN=Servers CA", Instant.now());

  private static final GenericApplicationContext PARENT = new GenericApplicationContext();
  private static final Pattern LINK = Pattern.compile("href=\"(https://localhost:\\d+/realms/demo/login/certificate[^\"]*)\"");

  @TempDir private static Path folder;

  private static int plain;
  private static int certificates;
  private static Idp idp = new Idp();
  private static ConfigurableApplicationContext server = PARENT;

  private final List<String> cookies = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    plain = FreePorts.one();
    certificates = FreePorts.one();
    idp = new Idp(realm(config(CertificateField.SUBJECT_CN, "uid"), SecondFactor.OPTIONAL));
    Node.Tls tls = new Node.Tls(folder.resolve("cert.pem"), folder.resolve("key.pem"));
    PeopleCa.Issued host =
        SERVERS.issue(
            PeopleCa.CertificateSpec.of("CN=localhost", PeopleCa.host("localhost"), PeopleCa.address("127.0.0.1"))
                .purpose(KeyPurposeId.id_kp_serverAuth));
    Files.writeString(tls.certificate(), PeopleCa.pem("CERTIFICATE", host.certificate().getEncoded()));
    Files.writeString(tls.privateKey(), PeopleCa.pem("PRIVATE KEY", host.privateKey().getEncoded()));
    Node.Listener ordinary = new Node.Listener(new InetSocketAddress("127.0.0.1", plain), Optional.empty());
    Node.Listener asking = new Node.Listener(new InetSocketAddress("127.0.0.1", certificates), Optional.of(tls));
    Node node =
        new Node(
            Set.of(Role.IDP),
            new Node.Listeners(List.of(ordinary), List.of(), ordinary, Optional.of(asking), Optional.empty()),
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
    assertThat(server.getBean(IdpListeners.class).ports()).containsExactly(plain, certificates);
  }

  @AfterAll
  static void stop() {
    server.close();
    PARENT.close();
  }

  @BeforeEach
  void quiet() {
    idp.audit.clear();
    idp.realms.set(realm(config(CertificateField.SUBJECT_CN, "uid"), SecondFactor.OPTIONAL));
  }

  @Test
  void aCertificateLogsItsHolderIn() throws Exception {
    HttpClient alice = holder(CA.issue(PeopleCa.CertificateSpec.of("CN=alice,O=Example")));
    HttpResponse<String> ticket = present(alice, link());
    assertThat(ticket.statusCode()).isEqualTo(303);
    String back = location(ticket);
    assertThat(back).startsWith("http://localhost:" + plain + "/realms/demo/login/certificate?ticket=");
    HttpResponse<String> in = get(back);
    assertThat(location(in)).isEqualTo("/realms/demo/account");
    assertThat(get(location(in)).statusCode()).isEqualTo(200);
    assertThat(idp.audit.events(AuditEvent.LoginSucceeded.class))
        .extracting(AuditEvent.LoginSucceeded::name, AuditEvent.LoginSucceeded::contract)
        .containsExactly(org.assertj.core.groups.Tuple.tuple("alice", "certificate"));
    assertThat(get(back).statusCode()).as("a ticket counts once").isEqualTo(400);
    assertThat(reasons(AuditEvent.MessageRefused.class)).containsExactly("NO_SUCH_TICKET");
  }

  @Test
  void itAnswersARequestForACertificateAndOnlySuchALoginDoes() throws Exception {
    String request = Idp.redirect(Requests.context(toHere(), "exact", AuthnContexts.X509));
    HttpResponse<String> page = get(here(request));
    assertThat(page.body()).doesNotContain("name=\"password\"");
    Matcher link = LINK.matcher(page.body());
    assertThat(link.find()).isTrue();
    HttpClient alice = holder(CA.issue(PeopleCa.CertificateSpec.of("CN=alice,O=Example")));
    HttpResponse<String> in = get(location(present(alice, link.group(1).replace("&amp;", "&"))));
    assertThat(location(in)).contains("/saml/sso?pending=");
    assertThat(get(location(in)).body()).contains("SAMLResponse");
  }

  @Test
  void aTicketIsWorthNothingInAnotherBrowser() throws Exception {
    HttpClient alice = holder(CA.issue(PeopleCa.CertificateSpec.of("CN=alice,O=Example")));
    String back = location(present(alice, link()));
    List<String> own = List.copyOf(cookies);
    cookies.clear();
    assertThat(get(back).statusCode()).as("no cookies at all").isEqualTo(400);
    link();
    assertThat(get(back).statusCode()).as("another browser's").isEqualTo(400);
    assertThat(reasons(AuditEvent.MessageRefused.class))
        .containsExactly("TICKET_OF_ANOTHER_BROWSER", "TICKET_OF_ANOTHER_BROWSER");
    cookies.clear();
    cookies.addAll(own);
    assertThat(location(get(back))).as("and still good in its own").isEqualTo("/realms/demo/account");
  }

  @Test
  void certificatesThatDoNotCountAreRefusedAlikeForTheirReasons() throws Exception {
    PeopleCa other = PeopleCa.create("CN=People CA,O=Example", SamlFixtures.NOW);
    PeopleCa.Issued revoked = CA.issue(PeopleCa.CertificateSpec.of("CN=alice,O=Example"));
    idp.realms.set(
        realm(config(CertificateField.SUBJECT_CN, "uid", CA.revoked(revoked.certificate())), SecondFactor.OPTIONAL));
    refused(other.issue(PeopleCa.CertificateSpec.of("CN=alice")), "CERTIFICATE_NOT_TRUSTED");
    refused(CA.issue(spec().valid(Duration.ofDays(10), Duration.ofDays(9))), "CERTIFICATE_NOT_VALID_NOW");
    refused(CA.issue(spec().valid(Duration.ofDays(-1), Duration.ofDays(9))), "CERTIFICATE_NOT_VALID_NOW");
    refused(CA.issue(spec().purpose(KeyPurposeId.id_kp_serverAuth)), "CERTIFICATE_NOT_FOR_LOGIN");
    refused(CA.issue(spec().purpose(KeyPurposeId.anyExtendedKeyUsage)), "CERTIFICATE_NOT_FOR_LOGIN");
    refused(revoked, "CERTIFICATE_REVOKED");
    refused(CA.issue(PeopleCa.CertificateSpec.of("O=Example")), "CERTIFICATE_WITHOUT_NAME");
    refused(CA.issue(PeopleCa.CertificateSpec.of("CN=alice,CN=bob")), "CERTIFICATE_WITHOUT_NAME");
    refused(CA.issue(PeopleCa.CertificateSpec.of("CN=mallory")), "UNKNOWN_NAME");
    refused(CA.issue(PeopleCa.CertificateSpec.of("CN=\\*")), "UNKNOWN_NAME");
    assertThat(present(holder(CA.issue(spec())), link()).statusCode()).isEqualTo(303);
  }

  @Test
  void aListThatIsOutOfDateRefusesEverybody() throws Exception {
    X509CRL old = CA.revoked(SamlFixtures.NOW.minusSeconds(3600));
    idp.realms.set(realm(config(CertificateField.SUBJECT_CN, "uid", old), SecondFactor.OPTIONAL));
    refused(CA.issue(spec()), "CERTIFICATE_REVOCATION_UNKNOWN");
    X509CRL foreign = PeopleCa.create("CN=Another CA", SamlFixtures.NOW).revoked();
    idp.realms.set(realm(config(CertificateField.SUBJECT_CN, "uid", foreign), SecondFactor.OPTIONAL));
    refused(CA.issue(spec()), "CERTIFICATE_REVOCATION_UNKNOWN");
  }

  @Test
  void everyFieldCanNameThePerson() throws Exception {
    idp.realms.set(realm(config(CertificateField.SAN_MAIL, "mail"), SecondFactor.OPTIONAL));
    accepted(PeopleCa.CertificateSpec.of("CN=x", PeopleCa.mail("alice@example.com")));
    refused(
        CA.issue(PeopleCa.CertificateSpec.of("CN=x", PeopleCa.mail("alice@example.com"), PeopleCa.mail("b@example.com"))),
        "CERTIFICATE_WITHOUT_NAME");
    refused(CA.issue(PeopleCa.CertificateSpec.of("CN=alice")), "CERTIFICATE_WITHOUT_NAME");
    idp.realms.set(realm(config(CertificateField.SAN_UPN, "uid"), SecondFactor.OPTIONAL));
    accepted(PeopleCa.CertificateSpec.of("CN=x", PeopleCa.upn("alice"), PeopleCa.mail("other@example.com")));
    refused(CA.issue(PeopleCa.CertificateSpec.of("CN=x", PeopleCa.mail("alice"))), "CERTIFICATE_WITHOUT_NAME");
    idp.realms.set(realm(config(CertificateField.SUBJECT_DN, "cn"), SecondFactor.OPTIONAL));
    refused(CA.issue(PeopleCa.CertificateSpec.of("CN=alice,O=Example")), "UNKNOWN_NAME");
  }

  @Test
  void withoutACertificateThereIsAPageAndNoTicket() throws Exception {
    HttpResponse<String> page = present(nobody(), link());
    assertThat(page.statusCode()).isEqualTo(403);
    assertThat(page.body()).contains("has shown no certificate");
    assertThat(reasons(AuditEvent.MessageRefused.class)).containsExactly("NO_CERTIFICATE");
  }

  @Test
  void noOtherPathAnswersThereAndNoOtherHost() throws Exception {
    HttpClient alice = holder(CA.issue(spec()));
    String origin = "https://localhost:" + certificates;
    for (String path :
        List.of("/", "/realms/demo", "/realms/demo/login", "/realms/demo/account", "/realms/demo/saml/metadata",
            "/realms/demo/login/direct", "/realms/none/login/certificate", "/admin/v1/realms")) {
      assertThat(present(alice, origin + path).statusCode()).as(path).isEqualTo(404);
    }
    assertThat(present(alice, origin + "/realms/demo/login/certificate").statusCode()).as("nobody began").isEqualTo(400);
    assertThat(present(alice, link().replace("localhost", "127.0.0.1")).statusCode()).isEqualTo(421);
    HttpRequest post =
        HttpRequest.newBuilder(URI.create(link())).POST(HttpRequest.BodyPublishers.ofString("x=y")).build();
    assertThat(alice.send(post, HttpResponse.BodyHandlers.ofString()).statusCode()).isEqualTo(405);
    idp.realms.set(TestRealms.change(TestRealms.demo()).idpUrl("http://localhost:" + plain).realm());
    assertThat(present(alice, origin + "/realms/demo/login/certificate").statusCode()).as("off").isEqualTo(421);
    assertThat(get("http://localhost:" + plain + "/realms/demo/login").body()).doesNotContain("Use a certificate");
  }

  @Test
  void aCertificateIsStrongEnoughWhereASecondFactorIsRequired() throws Exception {
    idp.realms.set(realm(config(CertificateField.SUBJECT_CN, "uid"), SecondFactor.REQUIRED));
    HttpResponse<String> in = get(location(present(holder(CA.issue(spec())), link())));
    assertThat(location(in)).isEqualTo("/realms/demo/account");
    assertThat(get(location(in)).statusCode()).isEqualTo(200);
  }

  @Test
  void whoLeavesTheDirectoryOnTheWayIsNotLoggedIn() throws Exception {
    idp.directory.put(FakeDirectory.person("ca101", "carol", "Carol", List.of()), "demo");
    String back = location(present(holder(CA.issue(PeopleCa.CertificateSpec.of("CN=carol"))), link()));
    idp.directory.remove(FakeDirectory.person("ca101", "carol", "Carol", List.of()));
    assertThat(get(back).statusCode()).isEqualTo(400);
  }

  @Test
  void aDisabledAccountDoesNotLogInByCertificate() throws Exception {
    String back = location(present(holder(CA.issue(spec())), link()));
    idp.directory.disable(FakeDirectory.ALICE);
    try {
      refused(CA.issue(spec()), "UNKNOWN_NAME");
      idp.audit.clear();
      assertThat(get(back).statusCode()).as("with a ticket of before").isEqualTo(400);
      assertThat(idp.audit.events(AuditEvent.LoginRefused.class)).extracting(AuditEvent.LoginRefused::reason).containsExactly("DISABLED");
    } finally {
      idp.directory.enable(FakeDirectory.ALICE);
    }
  }

  // --- steps ---

  private static PeopleCa.CertificateSpec spec() {
    return PeopleCa.CertificateSpec.of("CN=alice,O=Example");
  }

  private void accepted(PeopleCa.CertificateSpec spec) throws Exception {
    assertThat(present(holder(CA.issue(spec)), link()).statusCode()).isEqualTo(303);
  }

  private void refused(PeopleCa.Issued issued, String reason) throws Exception {
    idp.audit.clear();
    HttpResponse<String> page = present(holder(issued), link());
    assertThat(page.statusCode()).as(reason).isEqualTo(403);
    assertThat(page.body()).contains("This certificate cannot be used here");
    assertThat(idp.audit.events(AuditEvent.LoginRefused.class))
        .extracting(AuditEvent.LoginRefused::contract, AuditEvent.LoginRefused::reason)
        .containsExactly(org.assertj.core.groups.Tuple.tuple("certificate", reason));
  }

  private static CertificateLogin config(CertificateField field, String attribute, X509CRL... revoked) {
    return new CertificateLogin(
        URI.create("https://localhost:" + certificates), List.of(CA.certificate()), field, attribute, List.of(revoked));
  }

  private static Realm realm(CertificateLogin login, SecondFactor rule) {
    ContractsConfig plainly = ContractsConfig.FORM_ALONE;
    return TestRealms.change(TestRealms.demo())
        .idpUrl("http://localhost:" + plain)
        .contracts(new ContractsConfig(false, rule, plainly.totp(), Optional.of(login)))
        .realm();
  }

  private static dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest toHere() {
    return Requests.addressed(
        idp.authnRequest(Idp.APP),
        Optional.of("http://localhost:" + plain + "/realms/demo/saml/sso"),
        idp.time.instant());
  }

  /** The query of the request, at this test's port. */
  private static String here(String redirect) {
    return "/realms/demo/saml/sso?" + URI.create(redirect).getRawQuery();
  }

  /** The link of a fresh login page. */
  private String link() throws Exception {
    Matcher link = LINK.matcher(get("/realms/demo/login").body());
    assertThat(link.find()).isTrue();
    return link.group(1).replace("&amp;", "&");
  }

  private HttpResponse<String> get(String address) throws Exception {
    URI url = URI.create("http://localhost:" + plain).resolve(address);
    HttpRequest.Builder request = HttpRequest.newBuilder(url).header("Accept", "text/html");
    if (!cookies.isEmpty()) {
      request.header("Cookie", String.join("; ", cookies));
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> reply = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      reply.headers().allValues("Set-Cookie").forEach(cookie -> cookies.add(cookie.substring(0, cookie.indexOf(';'))));
      return reply;
    }
  }

  private static HttpResponse<String> present(HttpClient client, String address) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(address)).header("Accept", "text/html").build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private static String location(HttpResponse<String> reply) {
    return reply.headers().firstValue("Location").orElseThrow(() -> new AssertionError(reply.statusCode() + reply.body()));
  }

  private List<String> reasons(Class<AuditEvent.MessageRefused> kind) {
    return idp.audit.events(kind).stream().map(AuditEvent.MessageRefused::reason).toList();
  }

  private static HttpClient holder(PeopleCa.Issued issued) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry("mine", issued.privateKey(), new char[0], new X509Certificate[] {issued.certificate()});
    KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(store, new char[0]);
    return client(managers);
  }

  private static HttpClient nobody() throws Exception {
    KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    managers.init(store, new char[0]);
    return client(managers);
  }

  private static HttpClient client(KeyManagerFactory managers) throws Exception {
    KeyStore trust = KeyStore.getInstance("PKCS12");
    trust.load(null, null);
    trust.setCertificateEntry("servers", SERVERS.certificate());
    TrustManagerFactory trusting = TrustManagerFactory.getInstance("PKIX");
    trusting.init(trust);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), trusting.getTrustManagers(), new SecureRandom());
    return HttpClient.newBuilder().sslContext(context).connectTimeout(Duration.ofSeconds(5)).build();
  }
}
