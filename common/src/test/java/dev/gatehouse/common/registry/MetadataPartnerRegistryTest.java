package dev.gatehouse.common.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent.CertificateExpiring;
import dev.gatehouse.common.audit.AuditEvent.ConfigurationChanged;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.http.OutboundHttp;
import dev.gatehouse.common.realm.FixedRealms;
import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.PartnerConfig.MetadataSource;
import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.registry.Partner.MetadataState;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Artifact;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.metadata.CanonicalMetadataCodec;
import dev.gatehouse.common.saml.metadata.MetadataCodec;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.AssertionConsumerService;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Metadata is fetched and expires; with the real codec and a server below {@code .localhost}. */
class MetadataPartnerRegistryTest {

  private static final Instant NOW = SamlFixtures.NOW;
  private static final Duration OFTEN = Duration.ofMillis(20);

  @TempDir Path path;
  private final TestTime time = new TestTime(NOW);
  private final RecordingAuditLog audit = new RecordingAuditLog();
  private final OutboundHttp http = new OutboundHttp(OutboundHttp.Limits.USUAL);
  private final Map<String, byte[]> served = new ConcurrentHashMap<>();
  private final AtomicInteger asked = new AtomicInteger();
  private final FixedRealms realms = new FixedRealms();
  private HttpServer server;
  private MetadataPartnerRegistry registry;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          asked.incrementAndGet();
          byte[] document = served.get(exchange.getRequestURI().getPath());
          exchange.sendResponseHeaders(document == null ? 503 : 200, document == null ? -1 : document.length);
          if (document != null) {
            exchange.getResponseBody().write(document);
          }
          exchange.close();
        });
    server.start();
    registry = open();
  }

  @AfterEach
  void stop() {
    registry.close();
    http.close();
    server.stop(0);
  }

  @Test
  void fetchesInTheBackgroundAndKnowsWhoIsUnknown() {
    serve("a", metadata("https://a.example", NOW.plus(Duration.ofDays(1)), SamlFixtures.spKey()));
    realms.set(realm(url("https://a.example", "a", Optional.empty())));

    assertThat(usable("https://a.example").entityId()).isEqualTo("https://a.example");
    assertThat(reason("https://stranger.example")).isEqualTo(Reason.PARTNER_UNKNOWN);
    assertThat(registry.metadata("other", "https://a.example")).isInstanceOf(Result.Refused.class);
    Partner partner = registry.find("demo", "https://a.example").orElseThrow();
    assertThat(partner.certificatesEnd())
        .contains(SamlFixtures.spKey().certificate().getNotAfter().toInstant());
    assertThat(registry.all("demo")).singleElement().isEqualTo(partner);
    assertThat(registry.all("other")).isEmpty();
  }

  @Test
  void aServerThatComesUpLateIsFoundSoon() {
    realms.set(realm(url("https://a.example", "a", Optional.empty())));
    Eventually.holds(() -> asked.get() >= 3);
    assertThat(reason("https://a.example")).isEqualTo(Reason.PARTNER_METADATA_UNAVAILABLE);

    serve("a", metadata("https://a.example", NOW.plus(Duration.ofDays(1)), SamlFixtures.spKey()));

    assertThat(usable("https://a.example").sp()).isPresent();
  }

  @Test
  void onePartnersBrokenMetadataHarmsThatPartnerOnly() {
    serve("good", metadata("https://good.example", NOW.plus(Duration.ofDays(1)), SamlFixtures.spKey()));
    serve("broken", "<EntityDescriptor".getBytes(StandardCharsets.UTF_8));
    serve("other", metadata("https://good.example", NOW.plus(Duration.ofDays(1)), SamlFixtures.spKey()));
    realms.set(
        realm(
            url("https://broken.example", "broken", Optional.empty()),
            url("https://missing.example", "missing", Optional.empty()),
            url("https://other.example", "other", Optional.empty()),
            url("https://good.example", "good", Optional.empty())));

    assertThat(usable("https://good.example").sp()).isPresent();
    for (String bad : List.of("https://broken.example", "https://missing.example", "https://other.example")) {
      Eventually.holds(() -> problem(bad).map(problem -> !problem.contains("not been read yet")).orElse(false));
      assertThat(reason(bad)).isEqualTo(Reason.PARTNER_METADATA_UNAVAILABLE);
    }
    assertThat(problem("https://missing.example").orElseThrow()).contains("503");
    assertThat(problem("https://broken.example").orElseThrow()).contains("XML_NOT_WELL_FORMED");
    Eventually.holds(
        () ->
            audit.events(ConfigurationChanged.class).stream()
                .anyMatch(e -> e.what().equals("metadata of https://broken.example") && !e.accepted()));
  }

  @Test
  void theLastGoodDocumentServesUntilItsValidUntilAndThenOnlyThatPartnerIsRefused() {
    serve("a", metadata("https://a.example", NOW.plus(Duration.ofHours(1)), SamlFixtures.spKey()));
    serve("b", metadata("https://b.example", NOW.plus(Duration.ofDays(1)), SamlFixtures.spKey()));
    realms.set(realm(url("https://a.example", "a", Optional.empty()), url("https://b.example", "b", Optional.empty())));
    PartnerMetadata held = usable("https://a.example");
    usable("https://b.example");

    served.clear();
    Eventually.holds(() -> lastProblem("https://a.example").isPresent());
    assertThat(usable("https://a.example")).isEqualTo(held);

    time.advance(Duration.ofHours(1));
    assertThat(reason("https://a.example")).isEqualTo(Reason.PARTNER_METADATA_UNAVAILABLE);
    assertThat(problem("https://a.example").orElseThrow()).contains("was valid until").contains("503");
    assertThat(registry.metadata("demo", "https://b.example")).isInstanceOf(Result.Accepted.class);
  }

  /** Thirty servers that accept and never answer occupy only their own permits. */
  @Test
  void partnersThatHangDoNotHoldUpTheMetadataOfOthers() throws IOException {
    serve("a", metadata("https://a.example", NOW.plus(Duration.ofDays(1)), SamlFixtures.spKey()));
    try (ServerSocket silent = new ServerSocket(0, 100, InetAddress.ofLiteral("127.0.0.1"))) {
      List<PartnerConfig> all = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        PartnerConfig like = url("https://hangs-" + i + ".example", "x", Optional.empty());
        MetadataSource.Url hanging =
            new MetadataSource.Url(
                URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/" + i), Optional.empty(), Duration.ofHours(1));
        all.add(
            new PartnerConfig(
                like.entityId(), like.displayName(), hanging, like.release(), like.nameId(), like.logout(),
                like.asServiceProvider(), like.asIdentityProvider(), false));
      }
      all.add(url("https://a.example", "a", Optional.empty()));
      long begin = System.nanoTime();
      realms.set(realm(all.toArray(PartnerConfig[]::new)));

      usable("https://a.example");

      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(OutboundHttp.Limits.USUAL.total());
    }
  }

  @Test
  void aChangedDocumentIsTakenOverAndAudited() {
    serve("a", metadata("https://a.example", NOW.plus(Duration.ofDays(1)), SamlFixtures.spKey()));
    realms.set(realm(url("https://a.example", "a", Optional.empty())));
    usable("https://a.example");

    serve("a", metadata("https://a.example", NOW.plus(Duration.ofDays(2)), SamlFixtures.strangerKey()));

    Eventually.holds(() -> certificates("https://a.example").contains(SamlFixtures.strangerKey().certificate()));
    assertThat(audit.events(ConfigurationChanged.class))
        .filteredOn(ConfigurationChanged::accepted)
        .hasSize(2)
        .last()
        .satisfies(event -> assertThat(event.detail()).startsWith("was "));
  }

  @Test
  void anOlderDocumentNeverReplacesANewer() {
    serve("a", metadata("https://a.example", NOW.plus(Duration.ofDays(2)), SamlFixtures.spKey()));
    realms.set(realm(url("https://a.example", "a", Optional.empty())));
    PartnerMetadata newer = usable("https://a.example");

    serve("a", metadata("https://a.example", NOW.plus(Duration.ofDays(1)), SamlFixtures.strangerKey()));

    Eventually.holds(() -> lastProblem("https://a.example").filter(p -> p.contains("older")).isPresent());
    assertThat(usable("https://a.example")).isEqualTo(newer);
  }

  /** SECURITY-CASES 21: a document without validUntil could be of any age. */
  @Test
  void aDocumentWithoutValidUntilNeverReplacesOneThatHasIt() {
    serve("a", metadata("https://a.example", NOW.plus(Duration.ofDays(2)), SamlFixtures.spKey()));
    realms.set(realm(url("https://a.example", "a", Optional.empty())));
    PartnerMetadata held = usable("https://a.example");
    String endless =
        new String(
                metadata("https://a.example", NOW.plus(Duration.ofDays(1)), SamlFixtures.strangerKey()),
                StandardCharsets.UTF_8)
            .replaceFirst(" validUntil=\"[^\"]*\"", "");

    serve("a", endless.getBytes(StandardCharsets.UTF_8));

    Eventually.holds(() -> lastProblem("https://a.example").filter(p -> p.contains("older")).isPresent());
    assertThat(usable("https://a.example")).isEqualTo(held);
  }

  /** The publisher shortened the validity: the document contains nothing that the one in use does not. */
  @Test
  void anEarlierValidUntilAloneIsNoRollBack() {
    serve("a", metadata("https://a.example", NOW.plus(Duration.ofDays(2)), SamlFixtures.spKey()));
    realms.set(realm(url("https://a.example", "a", Optional.empty())));
    usable("https://a.example");

    serve("a", metadata("https://a.example", NOW.plus(Duration.ofDays(1)), SamlFixtures.spKey()));

    Eventually.holds(() -> usable("https://a.example").validUntil().equals(Optional.of(NOW.plus(Duration.ofDays(1)))));
    assertThat(lastProblem("https://a.example")).isEmpty();
  }

  /** Announced when it is read, by the thread that refreshes the partner. */
  @Test
  void certificatesThatEndSoonAreAnnounced() {
    SigningKey ending =
        SamlFixtures.create(KeyAlgorithm.P_256, "old", NOW.minus(Duration.ofDays(9)), NOW.plus(Duration.ofDays(3)));
    serve("a", metadata("https://a.example", NOW.plus(Duration.ofDays(2)), ending));

    realms.set(realm(url("https://a.example", "a", Optional.empty())));

    Eventually.holds(() -> audit.events(CertificateExpiring.class).size() == 1);
    assertThat(audit.events(CertificateExpiring.class).getFirst().days()).isEqualTo(7);
  }

  @Test
  void aDocumentMustBeSignedByTheConfiguredKey() throws IOException {
    Path pem = pem("trusted.pem", SamlFixtures.idpKey());
    serve("a", metadata("https://a.example", NOW.plus(Duration.ofDays(1)), SamlFixtures.strangerKey()));
    realms.set(realm(url("https://a.example", "a", Optional.of(pem))));
    Eventually.holds(() -> problem("https://a.example").filter(p -> p.contains("SIGNATURE")).isPresent());

    // The certificate file changes, and with it the realm's revision.
    pem("trusted.pem", SamlFixtures.strangerKey());
    realms.set(
        TestRealms.change(realm(url("https://a.example", "a", Optional.of(pem)))).revision("000000000001").realm());

    assertThat(usable("https://a.example").sp()).isPresent();
  }

  @Test
  void aDocumentThatIsTheSameIsNotReadAgainUntilItHasExpired() {
    serve("a", metadata("https://a.example", NOW.plus(Duration.ofHours(1)), SamlFixtures.spKey()));
    realms.set(realm(url("https://a.example", "a", Optional.empty())));
    PartnerMetadata first = usable("https://a.example");
    int before = asked.get();
    Eventually.holds(() -> asked.get() >= before + 3);
    assertThat(usable("https://a.example")).isSameAs(first);
    time.advance(Duration.ofHours(2));
    Eventually.holds(() -> problem("https://a.example").filter(p -> p.contains("the document is refused")).isPresent());
  }

  @Test
  void aDocumentThatIsTheSameIsReadAgainIfAnotherKeyMustHaveSignedIt() throws IOException {
    Path pem = pem("trusted.pem", SamlFixtures.spKey());
    serve("a", metadata("https://a.example", NOW.plus(Duration.ofDays(1)), SamlFixtures.spKey()));
    realms.set(realm(url("https://a.example", "a", Optional.of(pem))));
    usable("https://a.example");
    pem("trusted.pem", SamlFixtures.strangerKey());
    Eventually.holds(() -> lastProblem("https://a.example").filter(p -> p.contains("the document is refused")).isPresent());
  }

  @Test
  void partnersAreFoundByTheSourceIdOfTheirArtifacts() {
    realms.set(realm(url("https://a.example", "a", Optional.empty()), url("https://b.example", "b", Optional.empty())));
    assertThat(registry.bySourceId("demo", Artifact.sourceId("https://b.example")).map(Partner::entityId)).contains("https://b.example");
    assertThat(registry.bySourceId("demo", Artifact.sourceId("https://c.example"))).isEmpty();
    assertThat(registry.bySourceId("other", Artifact.sourceId("https://a.example"))).isEmpty();
  }

  @Test
  void theLastGoodDocumentIsUsedAtStart() {
    serve("a", metadata("https://a.example", NOW.plus(Duration.ofDays(1)), SamlFixtures.spKey()));
    realms.set(realm(url("https://a.example", "a", Optional.empty())));
    usable("https://a.example");
    registry.close();
    served.clear();

    registry = open();

    assertThat(usable("https://a.example").sp()).isPresent();
  }

  @Test
  void aKeptDocumentThatHasExpiredIsNotUsedAtStart() {
    serve("a", metadata("https://a.example", NOW.plus(Duration.ofHours(1)), SamlFixtures.spKey()));
    realms.set(realm(url("https://a.example", "a", Optional.empty())));
    usable("https://a.example");
    registry.close();
    served.clear();
    time.advance(Duration.ofHours(2));

    registry = open();

    Eventually.holds(() -> problem("https://a.example").filter(p -> p.contains("503")).isPresent());
  }

  @Test
  void aFileIsReadAgainWhenItChangesAndABrokenOneDoesNotCount() throws IOException {
    Path file = path.resolve("partner.xml");
    Files.write(file, metadata("https://a.example", NOW.plus(Duration.ofDays(1)), SamlFixtures.spKey()));
    realms.set(realm(file("https://a.example", file)));
    PartnerMetadata first = usable("https://a.example");

    Files.write(file, new byte[] {'<', 'x'});
    Eventually.holds(() -> lastProblem("https://a.example").isPresent());
    assertThat(usable("https://a.example")).isEqualTo(first);

    // The administrator's own file may be of any age: installing it is the administrator's decision.
    Files.write(file, metadata("https://a.example", NOW.plus(Duration.ofHours(1)), SamlFixtures.strangerKey()));
    Eventually.holds(() -> certificates("https://a.example").contains(SamlFixtures.strangerKey().certificate()));
    assertThat(lastProblem("https://a.example")).isEmpty();
  }

  @Test
  void aPartnerThatIsNoLongerConfiguredIsNoLongerAsked() {
    serve("a", metadata("https://a.example", NOW.plus(Duration.ofDays(1)), SamlFixtures.spKey()));
    realms.set(realm(url("https://a.example", "a", Optional.empty())));
    usable("https://a.example");

    realms.set(realm());
    assertThat(registry.find("demo", "https://a.example")).isEmpty();
    LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
    int before = asked.get();
    LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
    assertThat(asked.get()).isEqualTo(before);
  }

  @Test
  void whatIsKnownStaysWhenOnlyOtherThingsOfTheRealmChange() {
    serve("a", metadata("https://a.example", NOW.plus(Duration.ofDays(1)), SamlFixtures.spKey()));
    realms.set(realm(url("https://a.example", "a", Optional.empty())));
    PartnerMetadata held = usable("https://a.example");
    served.clear();

    PartnerConfig renamed = url("https://a.example", "a", Optional.empty());
    realms.set(
        realm(
            new PartnerConfig(
                renamed.entityId(), Optional.of("A"), renamed.metadata(), TestRealms.released(Map.of("mail", "mail")),
                NameIdFormat.EMAIL, renamed.logout(), renamed.asServiceProvider(), renamed.asIdentityProvider(), false)));

    Partner partner = registry.find("demo", "https://a.example").orElseThrow();
    assertThat(partner.displayName()).isEqualTo("A");
    assertThat(registry.metadata("demo", "https://a.example")).isEqualTo(new Result.Accepted<>(held));
  }

  /** The document is the same, and what counts of it is another. */
  @Test
  void endpointsOnThisMachineCountOnceTheConfigurationSaysSo() {
    String here = new String(metadata("https://a.example", NOW.plus(Duration.ofDays(1)), SamlFixtures.spKey()), StandardCharsets.UTF_8);
    serve("a", here.replace("https://a.example/acs", "http://localhost:8081/acs").getBytes(StandardCharsets.UTF_8));
    PartnerConfig plain = url("https://a.example", "a", Optional.empty());
    PartnerConfig allowed =
        new PartnerConfig(
            plain.entityId(), plain.displayName(), plain.metadata(), plain.release(), plain.nameId(), plain.logout(),
            plain.asServiceProvider(), plain.asIdentityProvider(), true);

    realms.set(TestRealms.change(realm(plain)).idpUrl("https://login.example.org").spUrls("https://app.example.org").realm());
    assertThat(usable("https://a.example").sp().orElseThrow().assertionConsumers()).isEmpty();
    assertThat(registry.find("demo", "https://a.example").orElseThrow().warnings())
        .singleElement()
        .asString()
        .contains("plainHttp", "http://localhost:8081");

    realms.set(TestRealms.change(realm(allowed)).idpUrl("https://login.example.org").spUrls("https://app.example.org").realm());
    assertThat(usable("https://a.example").sp().orElseThrow().assertionConsumers())
        .extracting(AssertionConsumerService::location)
        .containsExactly("http://localhost:8081/acs");
  }

  @Test
  void whatCannotBeAuditedIsNotTakenOver() {
    audit.breakDown(true);
    serve("a", metadata("https://a.example", NOW.plus(Duration.ofDays(1)), SamlFixtures.spKey()));
    realms.set(realm(url("https://a.example", "a", Optional.empty())));
    Eventually.holds(() -> problem("https://a.example").filter(p -> p.contains("audited")).isPresent());

    audit.breakDown(false);

    assertThat(usable("https://a.example").sp()).isPresent();
  }

  private MetadataPartnerRegistry open() {
    return new MetadataPartnerRegistry(
        realms, new CanonicalMetadataCodec(), http, path.resolve("metadata"), audit, time, new Random(7));
  }

  private static Realm realm(PartnerConfig... partners) {
    return TestRealms.change(TestRealms.demo()).partners(partners).realm();
  }

  private PartnerConfig url(String entityId, String name, Optional<Path> verifyWith) {
    URI url = URI.create("http://partner.localhost:" + server.getAddress().getPort() + "/" + name);
    return partner(entityId, new MetadataSource.Url(url, verifyWith, OFTEN));
  }

  private static PartnerConfig file(String entityId, Path file) {
    return partner(entityId, new MetadataSource.File(file, Optional.empty()));
  }

  private static PartnerConfig partner(String entityId, MetadataSource source) {
    return new PartnerConfig(
        entityId,
        Optional.empty(),
        source,
        Map.of(),
        NameIdFormat.TRANSIENT,
        PartnerConfig.Logout.FRONT,
        PartnerConfig.AsServiceProvider.PLAIN,
        PartnerConfig.AsIdentityProvider.PLAIN, false);
  }

  private void serve(String name, byte[] document) {
    served.put("/" + name, document);
  }

  private static byte[] metadata(String entityId, Instant validUntil, SigningKey key) {
    return new CanonicalMetadataCodec()
        .writeSp(
            new MetadataCodec.SpDescriptor(
                entityId,
                "Partner",
                validUntil,
                Duration.ofHours(1),
                List.of(SamlFixtures.publicHalf(key)),
                List.of(new AssertionConsumerService(0, true, Binding.POST, entityId + "/acs")),
                List.of(),
                List.of()),
            key);
  }

  private Path pem(String name, SigningKey key) throws IOException {
    byte[] der;
    try {
      der = key.certificate().getEncoded();
    } catch (java.security.cert.CertificateEncodingException e) {
      throw new IllegalStateException(e);
    }
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return Files.writeString(path.resolve(name), "-----BEGIN CERTIFICATE-----\n" + body + "\n-----END CERTIFICATE-----\n");
  }

  /** Waits for the condition. */
  private PartnerMetadata usable(String entityId) {
    Eventually.holds(() -> registry.metadata("demo", entityId) instanceof Result.Accepted);
    return switch (registry.metadata("demo", entityId)) {
      case Result.Accepted(PartnerMetadata metadata) -> metadata;
      case Result.Refused(var refusal) -> throw new AssertionError(refusal.toString());
    };
  }

  private Reason reason(String entityId) {
    return switch (registry.metadata("demo", entityId)) {
      case Result.Accepted<PartnerMetadata, SamlRefusal> accepted -> throw new AssertionError("usable");
      case Result.Refused(var refusal) -> refusal.reason();
    };
  }

  private Optional<MetadataState> state(String entityId) {
    return registry.find("demo", entityId).map(Partner::metadata);
  }

  private Optional<String> problem(String entityId) {
    return state(entityId).flatMap(s -> s instanceof MetadataState.Unusable(String p) ? Optional.of(p) : Optional.empty());
  }

  private Optional<String> lastProblem(String entityId) {
    return state(entityId)
        .flatMap(s -> s instanceof MetadataState.Usable usable ? usable.lastProblem() : Optional.empty());
  }

  private List<java.security.cert.X509Certificate> certificates(String entityId) {
    return state(entityId).stream()
        .flatMap(s -> s instanceof MetadataState.Usable usable ? usable.metadata().sp().stream() : java.util.stream.Stream.empty())
        .flatMap(sp -> sp.signing().stream())
        .toList();
  }
}
