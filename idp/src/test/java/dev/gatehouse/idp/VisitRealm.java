package dev.gatehouse.idp;

import com.eatthepath.otp.TimeBasedOneTimePasswordGenerator;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.http.InsecureTrustManager;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.key.PeopleCa;
import dev.gatehouse.common.key.PeopleCa.CertificateSpec;
import dev.gatehouse.common.key.PeopleCa.Issued;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.OAuthConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realm.OtpTrusts;
import dev.gatehouse.common.realm.Realm.TrustedRealm;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.realm.UpstreamConfig.ClientKey;
import dev.gatehouse.common.request.RequestId;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.space.GuardedStores;
import dev.gatehouse.common.store.MemoryStores;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.otp.PasscodeAttempt;
import dev.gatehouse.idp.otp.PasscodeCheck;
import dev.gatehouse.idp.otp.PasscodeResult;
import dev.gatehouse.idp.otp.TokenSeeds;
import dev.gatehouse.idp.otp.visit.Visits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Predicate;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.TrustManager;
import org.bouncycastle.asn1.x509.KeyPurposeId;

/**
 * A realm of one-time passwords that others reach by TLS, with alice and bob, of whom alice has a token. As at the listener for clients'
 * certificates, whoever holds the key of any certificate may ask, and the realm decides.
 */
final class VisitRealm implements AutoCloseable {

  static final byte[] SEED = "12345678901234567890".getBytes(StandardCharsets.US_ASCII);

  /** Handshakes use real time only. */
  static final PeopleCa SERVERS = PeopleCa.create("CN=Servers CA", Instant.now());

  static final PeopleCa ANYBODY = PeopleCa.create("CN=Anybody,O=Example", SamlFixtures.NOW);

  final String name;
  final String suffix;
  final TestTime time;
  final Issued key;
  final List<String> asked = new CopyOnWriteArrayList<>();
  private final HttpsServer server;
  private final SealingKey sealing = SealingKey.inMemory(new SecureRandom());
  private Optional<Idp> idp = Optional.empty();

  /** What it answers in place of the endpoints; empty for what they say. */
  volatile Function<String, Optional<String>> lies = path -> Optional.empty();

  /** Where it ends the connection without an answer. */
  volatile Predicate<String> broken = path -> false;

  /** Whether it stores nothing new. */
  volatile boolean isSpaceLow;

  /** Whether it sends everybody elsewhere. */
  volatile boolean redirects;

  VisitRealm(String name, TestTime time) throws Exception {
    this.name = name;
    this.suffix = name + ".example";
    this.time = time;
    this.key = ANYBODY.issue(CertificateSpec.of("CN=" + name));
    this.server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(tls()) {
          @Override
          public void configure(HttpsParameters parameters) {
            SSLParameters wanted = getSSLContext().getDefaultSSLParameters();
            wanted.setWantClientAuth(true);
            parameters.setSSLParameters(wanted);
          }
        });
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::handle);
    server.start();
  }

  private static SSLContext tls() throws Exception {
    Issued host = SERVERS.issue(CertificateSpec.of("CN=localhost", PeopleCa.host("localhost")).purpose(KeyPurposeId.id_kp_serverAuth));
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry("server", host.privateKey(), new char[0], new Certificate[] {host.certificate()});
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, new char[0]);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), new TrustManager[] {new InsecureTrustManager()}, null);
    return context;
  }

  URI origin() {
    return URI.create("https://localhost:" + server.getAddress().getPort());
  }

  TrustedRealm.Document document() {
    return new TrustedRealm.Document(
        List.of(suffix), URI.create(origin() + "/realms/" + name + "/otp/v1"), List.of(key.certificate()), List.of(SERVERS.certificate()));
  }

  /** How another realm trusts this one by default. */
  TrustedRealm trusted(boolean asked, boolean told) {
    return new TrustedRealm(List.of(suffix), document(), Set.of("visitor"), asked, told, 1000, Duration.ofSeconds(5));
  }

  OtpTrusts trusts(TrustedRealm... others) {
    return trusts(key, others);
  }

  OtpTrusts trusts(Issued shown, TrustedRealm... others) {
    Secret pem = new Secret(PeopleCa.pem("PRIVATE KEY", shown.privateKey().getEncoded()));
    return new OtpTrusts(
        List.of(suffix), false, new ClientKey(List.of(shown.certificate()), pem), List.of(shown.certificate()), List.of(SERVERS.certificate()),
        List.of(others));
  }

  /** Opens the realm, again with other trusts if it was open. */
  VisitRealm open(OtpTrusts trusts, ClientConfig... agents) {
    ContractsConfig plain = ContractsConfig.FORM_ALONE;
    OAuthConfig usual = OAuthConfig.USUAL;
    Realm base =
        TestRealms.change(TestRealms.demo())
            .name(name)
            .contracts(
                new ContractsConfig(
                    false, plain.secondFactor(), plain.totp(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(TokenLogin.USUAL)))
            .oauth(
                new OAuthConfig(
                    usual.accessTokenLife(), usual.refreshTokenLife(), usual.codeLife(), usual.deviceCodeLife(), usual.pushedLife(),
                    usual.registration(), usual.scopes(), usual.claims(), Optional.of(origin()), List.of()))
            .realm();
    Realm realm =
        new Realm(
            base.name(), base.revision(), base.brand(), base.keys(), base.idp(), base.sp(), base.directory(),
            new Realm.Parties(base.parties().partners(), List.of(agents), List.of(), Optional.empty(), Optional.of(trusts)), base.gateway(),
            base.federation());
    idp.ifPresent(former -> former.context.close());
    idp = Optional.of(new Idp(time, new GuardedStores(new MemoryStores(time), () -> isSpaceLow), sealing, realm));
    idp().context.getBean(TokenSeeds.class).ensure(name, "t-" + name, SEED, FakeDirectory.ALICE.id(), "2468");
    return this;
  }

  Idp idp() {
    return idp.orElseThrow();
  }

  Realm realm() {
    return idp().realms.find(name).orElseThrow();
  }

  PasscodeCheck check() {
    return idp().context.getBean(Visits.class).of(realm(), true).orElseThrow();
  }

  PasscodeResult typed(String person, String passcode) {
    return check().check(attempt(person, passcode));
  }

  static PasscodeAttempt attempt(String person, String passcode) {
    return new PasscodeAttempt(person, passcode, "vpn", "192.0.2.99");
  }

  /** The code of alice's token, which is the same in every realm. */
  String code(int steps) throws Exception {
    return new TimeBasedOneTimePasswordGenerator()
        .generateOneTimePasswordString(new SecretKeySpec(SEED, "RAW"), time.instant().plusSeconds(30L * steps));
  }

  private void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    asked.add(exchange.getRequestMethod() + " " + path.substring(path.lastIndexOf("/otp/v1") + 1));
    byte[] body = exchange.getRequestBody().readAllBytes();
    if (broken.test(path) || redirects) {
      if (redirects) {
        exchange.getResponseHeaders().set("Location", origin() + "/elsewhere");
        exchange.sendResponseHeaders(302, -1);
      }
      exchange.close();
      return;
    }
    try {
      Optional<String> lie = lies.apply(path);
      EdgeReply reply =
          lie.isPresent() ? EdgeReply.of(200, "application/json", lie.get()) : RequestId.call("edge" + asked.size(), () -> answer(exchange, path, body));
      byte[] answer = reply.body();
      exchange.sendResponseHeaders(reply.status(), answer.length == 0 ? -1 : answer.length);
      exchange.getResponseBody().write(answer);
    } finally {
      exchange.close();
    }
  }

  private EdgeReply answer(HttpExchange exchange, String path, byte[] body) {
    String below = path.substring(("/realms/" + name + "/").length());
    Route route = idp().routes().stream().filter(one -> one.path().equals(below)).findFirst().orElseThrow();
    Headers headers = Headers.empty();
    String type = exchange.getRequestHeaders().getFirst("Content-Type");
    if (type != null) {
      headers = headers.and("Content-Type", type);
    }
    EdgeRequest request =
        new EdgeRequest(
            exchange.getRequestMethod(), Origin.of(origin()), path, "", headers, body, exchange.getRemoteAddress().getAddress());
    return route.endpoint().handle(new RealmRequest(realm(), realm().idp().orElseThrow(), request, shown(exchange)));
  }

  private static List<X509Certificate> shown(HttpExchange exchange) {
    try {
      Certificate[] chain = ((com.sun.net.httpserver.HttpsExchange) exchange).getSSLSession().getPeerCertificates();
      return Arrays.stream(chain).map(X509Certificate.class::cast).toList();
    } catch (SSLPeerUnverifiedException e) {
      return List.of();
    }
  }

  /** Asks an endpoint for realms as whoever holds that certificate says, without TLS. */
  EdgeReply post(Optional<Issued> by, String path, Map<String, String> form) {
    Route route = idp().routes().stream().filter(one -> one.path().equals(path)).findFirst().orElseThrow();
    EdgeRequest request =
        new EdgeRequest(
            "POST", Origin.of(origin()), "/realms/" + name + "/" + path, "",
            Headers.of("Content-Type", "application/x-www-form-urlencoded"), TestBrowser.encode(form).getBytes(StandardCharsets.UTF_8),
            InetAddress.getLoopbackAddress());
    return route
        .endpoint()
        .handle(new RealmRequest(realm(), realm().idp().orElseThrow(), request, by.map(Issued::certificate).stream().toList()));
  }

  @Override
  public void close() {
    idp.ifPresent(
        open -> {
          Idp.TOKENS.erase(name, FakeDirectory.ALICE.id());
          Idp.TOKENS.remove(name, "t-" + name);
          open.context.close();
        });
    server.stop(0);
  }
}
