package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.key.PeopleCa;
import dev.gatehouse.common.key.SigningKeys;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.SessionDemand;
import dev.gatehouse.common.realm.SignOnContract;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TestRoutes;
import dev.gatehouse.gateway.netty.RawClient.Response;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates of listeners, and of clients. */
final class ServerTlsTest {

  private static final PeopleCa SERVERS = PeopleCa.create("CN=Servers CA", Instant.now());
  private static final PeopleCa PEOPLE = PeopleCa.create("CN=People CA", Instant.now());
  private static final PeopleCa STRANGERS = PeopleCa.create("CN=People CA", Instant.now());

  @TempDir private Path folder;

  private RawApp app;

  @BeforeEach
  void start() throws IOException {
    app = RawApp.answering(RawApp.ok("page"));
  }

  @AfterEach
  void stop() throws IOException {
    app.close();
  }

  private Realm realm() {
    URI to = URI.create("http://127.0.0.1:" + app.port());
    return TestRealms.change(TestRealms.demo())
        .spUrls("http://app.localhost", "https://app.localhost")
        .routes(
            TestRealms.route("public", "/public/", to, new Access.Public()),
            TestRoutes.withSignOn(
                TestRealms.route("card", "/card/", to, new Access.Protected()),
                new SignOnContract.Certificate(), SessionDemand.NONE),
            TestRoutes.withSignOn(TestRealms.route("vault", "/vault/", to, new Access.Protected()), 
                    new SignOnContract.Certificate(),
                    new SessionDemand(Optional.empty(), Optional.of(Duration.ofHours(1)))))
        .realm();
  }

  private Node.Tls write(String file, String... names) throws Exception {
    GeneralName[] hosts = Arrays.stream(names).map(PeopleCa::host).toArray(GeneralName[]::new);
    PeopleCa.Issued issued =
        SERVERS.issue(PeopleCa.CertificateSpec.of("CN=" + names[0], hosts).purpose(KeyPurposeId.id_kp_serverAuth));
    Node.Tls tls = new Node.Tls(folder.resolve(file + ".crt"), folder.resolve(file + ".key"));
    Files.writeString(tls.certificate(), PeopleCa.pem("CERTIFICATE", issued.certificate().getEncoded()));
    Files.writeString(tls.privateKey(), PeopleCa.pem("PRIVATE KEY", issued.privateKey().getEncoded()));
    return tls;
  }

  private Optional<Path> people() throws Exception {
    Path file = folder.resolve("people.pem");
    Files.writeString(file, PeopleCa.pem("CERTIFICATE", PEOPLE.certificate().getEncoded()));
    return Optional.of(file);
  }

  private static SSLContext context(Optional<PeopleCa.Issued> own) throws Exception {
    KeyManager[] keys = {};
    if (own.isPresent()) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      Certificate[] chain = {own.get().certificate()};
      store.setKeyEntry("me", own.get().privateKey(), new char[0], chain);
      KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(store, new char[0]);
      keys = factory.getKeyManagers();
    }
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys, new TrustManager[] {new TrustsAll()}, new SecureRandom());
    return context;
  }

  private static final class TrustsAll implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  private static SSLSocket connect(TestGateway gateway, SSLContext context, String name, String... schemes)
      throws IOException {
    SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", gateway.port());
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setServerNames(List.of(new SNIHostName(name)));
    if (schemes.length > 0) {
      parameters.setSignatureSchemes(schemes);
    }
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  private static String shown(TestGateway gateway, String name, String... schemes) throws Exception {
    try (SSLSocket socket = connect(gateway, context(Optional.empty()), name, schemes)) {
      X509Certificate certificate = (X509Certificate) socket.getSession().getPeerCertificates()[0];
      return certificate.getSubjectX500Principal().getName() + " " + certificate.getPublicKey().getAlgorithm();
    }
  }

  @Test
  void theNameThatIsAskedForChoosesTheCertificate() throws Exception {
    List<Node.Tls> certificates = List.of(write("a", "a.test"), write("b", "b.test", "*.c.test"));
    try (TestGateway gateway = TestGateway.secure(realm(), certificates, Optional.empty())) {
      assertThat(shown(gateway, "a.test")).startsWith("CN=a.test");
      assertThat(shown(gateway, "B.test")).startsWith("CN=b.test");
      assertThat(shown(gateway, "x.c.test")).startsWith("CN=b.test");
      assertThat(shown(gateway, "y.x.c.test")).as("one label only").startsWith("CN=a.test");
      assertThat(shown(gateway, "unknown.test")).as("the first").startsWith("CN=a.test");
      try (RawClient client = new RawClient(connect(gateway, context(Optional.empty()), "b.test"))) {
        assertThat(client.get("/public/").read().status()).isEqualTo(200);
      }
    }
  }

  @Test
  void whoCannotVerifyEcdsaGetsRsa() throws Exception {
    SigningKey rsa = SigningKeys.make(KeyAlgorithm.RSA_2048, "old", Instant.now(), new SecureRandom());
    Node.Tls old = new Node.Tls(folder.resolve("rsa.crt"), folder.resolve("rsa.key"));
    Files.writeString(old.certificate(), PeopleCa.pem("CERTIFICATE", rsa.certificate().getEncoded()));
    Files.writeString(old.privateKey(), PeopleCa.pem("PRIVATE KEY", rsa.privateKey().getEncoded()));
    List<Node.Tls> both = List.of(write("new", "app.localhost"), old);
    try (TestGateway gateway = TestGateway.secure(realm(), both, Optional.empty())) {
      assertThat(shown(gateway, "other.test")).endsWith(" EC");
      assertThat(shown(gateway, "other.test", "rsa_pss_rsae_sha256", "rsa_pkcs1_sha256")).endsWith(" RSA");
    }
  }

  @Test
  void changedFilesCountForNewConnectionsAndBrokenOnesDoNot() throws Exception {
    Node.Tls files = write("a", "old.test");
    try (TestGateway gateway = TestGateway.secure(realm(), List.of(files), Optional.empty());
        RawClient open = new RawClient(connect(gateway, context(Optional.empty()), "a.test"))) {
      assertThat(open.get("/public/").read().status()).isEqualTo(200);

      write("a", "new.test");
      Files.setLastModifiedTime(files.certificate(), FileTime.from(Instant.now().plusSeconds(5)));
      gateway.server().pollCertificates();
      assertThat(shown(gateway, "a.test")).startsWith("CN=new.test");
      assertThat(open.get("/public/").read().status()).as("a connection goes on").isEqualTo(200);

      Files.writeString(files.certificate(), "nonsense");
      gateway.server().pollCertificates();
      assertThat(gateway.server().certificateProblems()).singleElement().asString().contains("a.crt");
      assertThat(shown(gateway, "a.test")).startsWith("CN=new.test");

      write("a", "newest.test");
      gateway.server().pollCertificates();
      assertThat(gateway.server().certificateProblems()).isEmpty();
      assertThat(shown(gateway, "a.test")).startsWith("CN=newest.test");
    }
  }

  @Test
  void ticketsCountUnderTheKeyBeforeAndNotUnderOlderOnes() throws Exception {
    Node.Tls files = write("a", "a.test");
    SSLContext browser = context(Optional.empty());
    try (TestGateway gateway = TestGateway.secure(realm(), List.of(files), Optional.empty())) {
      long first = session(gateway, browser);
      Thread.sleep(20);
      assertThat(session(gateway, browser)).as("resumed").isEqualTo(first);
      gateway.time().advance(Duration.ofHours(6));
      gateway.server().pollCertificates();
      assertThat(session(gateway, browser)).as("the key before counts, too").isEqualTo(first);
      Thread.sleep(20);
      assertThat(session(gateway, context(Optional.empty()))).as("nothing to resume").isNotEqualTo(first);
    }
  }

  /** When the session that this connection uses was made. */
  private static long session(TestGateway gateway, SSLContext browser) throws Exception {
    SSLSocket socket = (SSLSocket) browser.getSocketFactory().createSocket("localhost", gateway.port());
    socket.setEnabledProtocols(new String[] {"TLSv1.2"});
    try (RawClient client = new RawClient(socket)) {
      assertThat(client.get("/public/").read().status()).isEqualTo(200);
      return socket.getSession().getCreationTime();
    }
  }

  private Response card(TestGateway gateway, Optional<PeopleCa.Issued> own, String... lines) throws Exception {
    try (RawClient client = new RawClient(connect(gateway, context(own), "a.test"))) {
      client.get("/card/x", lines).read();
      return client.get("/card/x", lines).read();
    }
  }

  @Test
  void aCertificateSaysWhoAsks() throws Exception {
    PeopleCa.Issued alice = PEOPLE.issue(PeopleCa.CertificateSpec.of("CN=alice"));
    try (TestGateway gateway = TestGateway.secure(realm(), List.of(write("a", "a.test")), people())) {
      Response page = card(gateway, Optional.of(alice));

      assertThat(page.status()).isEqualTo(200);
      assertThat(page.field("Set-Cookie")).as("the certificate is there every time").isEmpty();
      assertThat(app.received().getLast().head()).contains("Remote-User: alice");
      card(gateway, Optional.of(alice));
      assertThat(gateway.signOn().asked()).as("looked at once a minute").hasSize(1);
      gateway.time().advance(Duration.ofMinutes(1));
      card(gateway, Optional.of(alice));
      assertThat(gateway.signOn().asked()).hasSize(2);
      assertThat(gateway.sessions().open()).isEqualTo(1);
    }
  }

  @Test
  void whoHasNoneOrOneOfNobodyIsRefusedAndNotSentAway() throws Exception {
    PeopleCa.Issued nobody = PEOPLE.issue(PeopleCa.CertificateSpec.of("CN=nobody"));
    try (TestGateway gateway = TestGateway.secure(realm(), List.of(write("a", "a.test")), people())) {
      String session = "Cookie: __Host-gh_app=" + gateway.sessions().open("alice", List.of(), List.of());
      assertThat(card(gateway, Optional.empty(), "Accept: text/html", session).status()).isEqualTo(403);
      assertThat(card(gateway, Optional.of(nobody)).status()).isEqualTo(403);
      assertThat(gateway.denials())
          .containsExactly("CERTIFICATE_MISSING", "CERTIFICATE_MISSING", "UNKNOWN_NAME", "UNKNOWN_NAME");
      assertThat(app.received()).isEmpty();
    }
  }

  @Test
  void aCertificateInAFieldIsNone() throws Exception {
    PeopleCa.Issued alice = PEOPLE.issue(PeopleCa.CertificateSpec.of("CN=alice"));
    String text = Base64.getEncoder().encodeToString(alice.certificate().getEncoded());
    try (TestGateway gateway = TestGateway.secure(realm(), List.of(write("a", "a.test")), people())) {
      Response refused =
          card(gateway, Optional.empty(), "X-SSL-Client-Cert: " + text, "Client-Cert: :" + text + ":");
      assertThat(refused.status()).isEqualTo(403);
      assertThat(gateway.denials()).containsOnly("CERTIFICATE_MISSING");
    }
  }

  @Test
  void anotherAuthoritysCertificateEndsTheHandshake() throws Exception {
    PeopleCa.Issued forged = STRANGERS.issue(PeopleCa.CertificateSpec.of("CN=alice"));
    try (TestGateway gateway = TestGateway.secure(realm(), List.of(write("a", "a.test")), people())) {
      assertThatThrownBy(() -> card(gateway, Optional.of(forged))).isInstanceOf(IOException.class);
      assertThat(app.received()).isEmpty();
      assertThat(gateway.signOn().asked()).isEmpty();
    }
  }

  @Test
  void aListenerThatDoesNotAskSeesNone() throws Exception {
    PeopleCa.Issued alice = PEOPLE.issue(PeopleCa.CertificateSpec.of("CN=alice"));
    try (TestGateway gateway = TestGateway.secure(realm(), List.of(write("a", "a.test")), Optional.empty())) {
      assertThat(card(gateway, Optional.of(alice)).status()).isEqualTo(403);
      assertThat(gateway.denials()).containsOnly("CERTIFICATE_MISSING");
    }
  }

  @Test
  void whoseSessionIsTooOldShowsTheCertificateAndIsServed() throws Exception {
    PeopleCa.Issued alice = PEOPLE.issue(PeopleCa.CertificateSpec.of("CN=alice"));
    try (TestGateway gateway = TestGateway.secure(realm(), List.of(write("a", "a.test")), people());
        RawClient client = new RawClient(connect(gateway, context(Optional.of(alice)), "a.test"))) {
      assertThat(client.get("/vault/x").read().status()).isEqualTo(200);
      gateway.time().advance(Duration.ofHours(1));
      assertThat(client.get("/vault/x").read().status()).isEqualTo(200);
      assertThat(gateway.sessions().open()).isEqualTo(2);
    }
  }

  @Test
  void aProxysCertificateIsNotItsClients() throws Exception {
    PeopleCa.Issued alice = PEOPLE.issue(PeopleCa.CertificateSpec.of("CN=alice"));
    Cidr here = new Cidr(InetAddress.getLoopbackAddress(), 32);
    try (TestGateway gateway = TestGateway.secure(realm(), List.of(write("a", "a.test")), people(), List.of(here))) {
      assertThat(card(gateway, Optional.of(alice)).status()).as("nobody is behind it").isEqualTo(200);
      assertThat(card(gateway, Optional.of(alice), "X-Forwarded-For: 192.0.2.7").status()).isEqualTo(403);
      assertThat(card(gateway, Optional.of(alice), "X-Forwarded-For: unknown").status()).as("somebody is").isEqualTo(403);
      try (RawClient client = new RawClient(connect(gateway, context(Optional.of(alice)), "a.test"))) {
        Response asked =
            client
                .get(
                    "/.gatehouse/forward-auth/nginx",
                    "X-Original-Method: GET",
                    "X-Original-URL: https://app.localhost/card/x")
                .read();
        assertThat(asked.status()).isEqualTo(403);
      }
      assertThat(gateway.denials()).hasSize(5).containsOnly("CERTIFICATE_MISSING");
    }
  }
}
