package dev.gatehouse.gateway.admin;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.admin.PersonLogins;
import dev.gatehouse.common.admin.PersonRecords;
import dev.gatehouse.common.admin.SessionAccounts;
import dev.gatehouse.common.analytics.collect.Analytics;
import dev.gatehouse.common.analytics.collect.CacheCounts;
import dev.gatehouse.common.analytics.collect.Places;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.audit.AuditRateLimit;
import dev.gatehouse.common.audit.AuditReport;
import dev.gatehouse.common.audit.AuditSegments;
import dev.gatehouse.common.audit.ConfiguredArchive;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.audit.LogVerifier;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.audit.search.AuditSearch;
import dev.gatehouse.common.db.AdministratorGrants;
import dev.gatehouse.common.db.AdministratorGrants.PersonGrant;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.JdbcAdministratorGrants;
import dev.gatehouse.common.db.JdbcPatterns;
import dev.gatehouse.common.db.JdbcRollups;
import dev.gatehouse.common.directory.Directory;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.federation.BulkFederation;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.http.OutboundHttp;
import dev.gatehouse.common.http.PublicHttp;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.key.FileKeyRings;
import dev.gatehouse.common.key.NamedKeys;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.AnalyticsNodeConfig;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.Role;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.page.ThymeleafPages;
import dev.gatehouse.common.realm.FixedRealms;
import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.yaml.FileTree;
import dev.gatehouse.common.refusal.RefusalTraces;
import dev.gatehouse.common.registry.Partner;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.revision.ChangeScope;
import dev.gatehouse.common.revision.RevisionStore;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.metadata.CanonicalMetadataCodec;
import dev.gatehouse.common.saml.metadata.MetadataCodec;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.store.MemoryStores;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.throttle.GuessSource;
import dev.gatehouse.common.throttle.GuessThrottle;
import dev.gatehouse.common.wiring.IndexedBeanFactory;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import dev.gatehouse.gateway.node.NodeDrain;
import dev.gatehouse.gateway.traffic.MaintenanceSwitches;
import dev.gatehouse.idp.edge.BoundedListeners;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** The admin edge over fakes, on a free port. */
public final class TestAdmin implements AutoCloseable {

  /** One for all tests, because each would read every text and template anew. */
  private static final Pages PAGES = new ThymeleafPages();

  public final RecordingAuditLog audit = new RecordingAuditLog();
  public final FakeSessions idpSessions = new FakeSessions("idp");
  public final FakeSessions appSessions = new FakeSessions("app");
  public final FakeAuthorizations authorizations = new FakeAuthorizations();
  public final FakeAppSecrets appSecrets = new FakeAppSecrets();
  final FakeUpstreams upstreams = new FakeUpstreams();
  final FakeResponses responses = new FakeResponses();
  public final FakeLinks links = new FakeLinks();
  final FakeLogouts logouts = new FakeLogouts();
  final FakeSecondFactors secondFactors = new FakeSecondFactors();
  public final FakePasskeys passkeys = new FakePasskeys();
  public final TestTime time = new TestTime();
  public final FakePersonLogins logins = new FakePersonLogins();
  public final AtomicInteger wrongKeys = new AtomicInteger();
  public final List<Problem> problems = new ArrayList<>();
  final AtomicReference<Health> storage = new AtomicReference<>(Health.up().build());
  final AtomicBoolean storageFails = new AtomicBoolean();
  public final String key;

  private final GenericApplicationContext parent = new GenericApplicationContext(new IndexedBeanFactory());
  private final AnnotationConfigServletWebServerApplicationContext admin;
  private BiFunction<String, String, ConfigurationControl.Proposal> proposals =
      (realm, text) -> new ConfigurationControl.Proposal(Optional.empty(), List.of(), Set.of());

  private final HttpClient client = HttpClient.newHttpClient();

  public TestAdmin(Path data) {
    this(data, AuditSearch.off(), beans -> {});
  }

  public TestAdmin(Path data, AuditSearch auditSearch) {
    this(data, auditSearch, beans -> {});
  }

  /** @param more adds beans to the node's */
  public TestAdmin(Path data, Consumer<GenericApplicationContext> more) {
    this(data, AuditSearch.off(), more);
  }

  /** @param more adds beans to the node's */
  public TestAdmin(Path data, AuditSearch auditSearch, Consumer<GenericApplicationContext> more) {
    this(data, auditSearch, more, AdminApplication.class);
  }

  private TestAdmin(Path data, AuditSearch auditSearch, Consumer<GenericApplicationContext> more, Class<?>... parts) {
    AdministratorKeys keys = new AdministratorKeys(data, time, RandomGenerator.of("SplittableRandom"));
    key = ((NamedKeys.Creation.Created) keys.create("ops")).secret();
    Realms realms = new FixedRealms(TestRealms.demo());
    parent.registerBean(Node.class, () -> node(data, Optional.of(new Node.AdminLogin("demo", new Origin("http", "127.0.0.1", 8081)))));
    parent.registerBean(Realms.class, () -> realms);
    parent.registerBean(PartnerRegistry.class, FakePartners::new);
    parent.registerBean(AuditLog.class, () -> audit);
    parent.registerBean(AuditSearch.class, () -> auditSearch);
    parent.registerBean(RefusalTraces.class, () -> RefusalTraces.NONE);
    parent.registerBean(
        PersonRecords.class,
        () ->
            new PersonRecords(
                TestAdmin::nobody,
                () -> new PersonRecords.Resources(List.of(idpSessions, appSessions), List.of(links), List.of(secondFactors), List.of()),
                person -> List.of(),
                audit,
                time));
    parent.registerBean(AdministratorKeys.class, () -> keys);
    parent.registerBean(Stores.class, () -> new MemoryStores(time));
    parent.registerBean(GuessThrottle.class, FakeThrottle::new);
    parent.registerBean(SealingKey.class, () -> SealingKey.inMemory(RandomGenerator.of("SplittableRandom")));
    parent.registerBean(
        RefusalLog.class,
        () ->
            new RefusalLog(
                audit, new AuditRateLimit(time), new SimpleMeterRegistry().counter("unwritten"), RandomGenerator.of("SplittableRandom")));
    parent.registerBean(Pages.class, () -> PAGES);
    parent.registerBean(MetadataCodec.class, CanonicalMetadataCodec::new);
    parent.registerBean(RandomGenerator.class, () -> RandomGenerator.of("SplittableRandom"));
    parent.registerBean(PrometheusMeterRegistry.class, () -> new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
    parent.registerBean("idpSessions", AdminResource.Sessions.class, () -> idpSessions);
    parent.registerBean("appSessions", AdminResource.Sessions.class, () -> appSessions);
    parent.registerBean(
        SessionAccounts.class,
        () -> (realm, session) -> appSessions.find(realm, session).isPresent() ? SessionAccounts.Reread.CHANGED : SessionAccounts.Reread.NONE);
    parent.registerBean(AdminResource.OAuthAuthorizations.class, () -> authorizations);
    parent.registerBean(AdminResource.StoredSecrets.class, () -> appSecrets);
    parent.registerBean(AdminResource.Logouts.class, () -> logouts);
    parent.registerBean(AdminResource.SecondFactorAdmin.class, () -> secondFactors);
    parent.registerBean(AdminResource.PasskeyAdmin.class, () -> passkeys);
    parent.registerBean(AdminResource.RegisteredClients.class, FakeClients::new);
    parent.registerBean(AdminResource.Maintenances.class, () -> new MaintenanceSwitches(Optional.of(data.resolve("maintenance"))));
    parent.registerBean(AdminResource.Federations.class, () -> links);
    parent.registerBean(AdminResource.AppServers.class, () -> upstreams);
    parent.registerBean(AdminResource.Responses.class, () -> responses);
    parent.registerBean(FileKeyRings.class, () -> new FileKeyRings(data, time, new SecureRandom()));
    parent.registerBean(InstantSource.class, () -> time);
    parent.registerBean(ConfigurationControl.class, FakeControl::new);
    parent.registerBean(Database.class, Database::inMemory);
    parent.registerBean(AdministratorGrants.class, () -> new JdbcAdministratorGrants(parent.getBean(Database.class)));
    parent.registerBean(PersonLogins.class, () -> logins);
    parent.registerBean(
        RevisionStore.class,
        () -> new RevisionStore(parent.getBean(Database.class), SealingKey.inMemory(RandomGenerator.of("SplittableRandom")), time));
    parent.registerBean(OutboundHttp.class, () -> new OutboundHttp(OutboundHttp.Limits.USUAL));
    parent.registerBean(PublicHttp.class, () -> PublicHttp.of(InetAddress::isLoopbackAddress));
    parent.registerBean(ConfiguredArchive.class, () -> new ConfiguredArchive(Optional.empty()));
    parent.registerBean(LogVerifier.class, () -> progress -> new AuditReport(0, 0, 0, 0, 0, Optional.empty(), List.of(), 0));
    parent.registerBean("drain", NodeDrain.class, () -> new NodeDrain(Optional.empty()));
    parent.registerBean("listeners", HealthIndicator.class, () -> () -> Health.up().build());
    parent.registerBean("ownParts", HealthIndicator.class, () -> () -> Health.up().build());
    for (String name : List.of("stores", "database", "auditLog")) {
      parent.registerBean(name, HealthIndicator.class, () -> this::health);
    }
    parent.registerBean(Analytics.class, () -> analytics(data, time));
    more.accept(parent);
    parent.refresh();
    admin = AdminApplication.start(parent, new BoundedListeners("admin", 256), parts);
  }

  /** Starts a listener that has one more part. */
  static TestAdmin with(Path data, Class<?> part) {
    return new TestAdmin(data, AuditSearch.off(), beans -> {}, AdminApplication.class, part);
  }

  /** Returns a bean of the listener's own. */
  <T> T part(Class<T> type) {
    return admin.getBean(type);
  }

  private Health health() {
    if (storageFails.get()) {
      throw new OutOfMemoryError("the test's");
    }
    return java.util.Objects.requireNonNull(storage.get());
  }

  private Analytics analytics(Path data, InstantSource time) {
    Path folder = data.resolve("counted");
    JsonLinesAuditLog log = new JsonLinesAuditLog(folder, 1 << 20, Duration.ofDays(1), time);
    AuditSegments segments = new AuditSegments(folder, Optional.empty());
    Analytics.Sources sources =
        new Analytics.Sources(log, segments, MetricFamilies.unpublished(), () -> new CacheCounts(3, 1), Places.none(), () -> false);
    Database database = parent.getBean(Database.class);
    return new Analytics(() -> 0, sources, new JdbcRollups(database), new JdbcPatterns(database), AnalyticsNodeConfig.USUAL, time);
  }

  /** Adds the link of a person with a name at a partner. */
  public void link(String partner, String person, String nameId) {
    links.links.add(new AdminResource.FederationView("links", partner, person, nameId, Optional.empty(), TestTime.START));
  }

  /** Returns what was removed from the cache: addresses, tags, routes, or {@code all}. */
  public List<String> dropped() {
    return responses.dropped;
  }

  /** The analytics, which nobody follows. */
  public Analytics analytics() {
    return parent.getBean(Analytics.class);
  }

  /** Gives a person a role. */
  public void grant(Person person, String grant) {
    AdministratorGrant role = AdministratorGrant.parse(grant);
    grants().put(new PersonGrant("demo", person.id(), person.name(), role, Optional.empty(), "test", TestTime.START), true);
  }

  public AdministratorGrants grants() {
    return parent.getBean(AdministratorGrants.class);
  }

  public RevisionStore revisions() {
    return parent.getBean(RevisionStore.class);
  }

  /** Returns the partners of the realm. */
  public List<Partner> partners() {
    return parent.getBean(PartnerRegistry.class).all("demo");
  }

  public FileKeyRings keyRings() {
    return parent.getBean(FileKeyRings.class);
  }

  /** Returns a new key. */
  public String key(String name, List<AdministratorGrant> grants, Optional<Instant> expiresAt) {
    return ((NamedKeys.Creation.Created) parent.getBean(AdministratorKeys.class).create(name, grants, expiresAt)).secret();
  }

  /** Takes an administrator key away. */
  public void revoke(String name) {
    parent.getBean(AdministratorKeys.class).revoke(name);
  }

  public int port() {
    return java.util.Objects.requireNonNull(admin.getWebServer()).getPort();
  }

  public HttpResponse<String> send(String method, String path, String... headers) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
            .method(method, HttpRequest.BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /** Sends a body with these headers. */
  public HttpResponse<String> sendBody(String method, String path, String body, String... headers) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
            .headers(headers)
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  public HttpResponse<String> authorized(String method, String path) throws IOException, InterruptedException {
    return send(method, path, "Authorization", "Bearer " + key);
  }

  public HttpResponse<String> post(String path, String json) throws IOException, InterruptedException {
    return json("POST", path, json);
  }

  public HttpResponse<String> json(String method, String path, String json) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(json))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  /** What the loader says of proposed texts from now on. */
  public void proposing(BiFunction<String, String, ConfigurationControl.Proposal> loader) {
    proposals = loader;
  }

  @Override
  public void close() {
    client.close();
    admin.close();
    parent.close();
  }

  /** @param login empty if nobody logs in there as a person */
  static Node node(Path data, Optional<Node.AdminLogin> login) {
    var listener = new Node.Listener(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Optional.empty());
    return new Node(
        Set.of(Role.IDP, Role.SP, Role.GATEWAY),
        new Node.Listeners(List.of(), List.of(listener), listener, Optional.empty(), Optional.empty()).with(login),
        Node.Storage.VOLATILE,
        data,
        List.of(),
        new Node.AuditConfig(data, 1 << 20, Duration.ofDays(1)),
        0,
        List.of());
  }

  /** A directory in which nobody is found. */
  private static Directory nobody(Realm realm) {
    return (Directory)
        Proxy.newProxyInstance(
            Directory.class.getClassLoader(), new Class<?>[] {Directory.class},
            (self, method, arguments) -> method.getName().equals("owners") ? Map.of() : Optional.empty());
  }

  /** Sessions of one kind in memory, by id. */
  public static final class FakeSessions implements AdminResource.Sessions {
    private final String kind;
    public final List<AdminResource.SessionView> sessions = new ArrayList<>();

    FakeSessions(String kind) {
      this.kind = kind;
    }

    public void add(String id, String person) {
      sessions.add(
          new AdminResource.SessionView(
              kind, id, "demo", person, person, TestTime.START, TestTime.START.plusSeconds(1800), List.of()));
    }

    @Override
    public String kind() {
      return kind;
    }

    @Override
    public List<AdminResource.SessionView> page(String realm, String after, int most) {
      return sessions.stream().filter(s -> s.id().compareTo(after) > 0).limit(most).toList();
    }

    @Override
    public List<AdminResource.SessionView> ofPerson(String realm, String person) {
      return sessions.stream().filter(s -> s.name().equals(person)).toList();
    }

    @Override
    public Optional<AdminResource.SessionView> find(String realm, String session) {
      return sessions.stream().filter(s -> s.id().equals(session)).findFirst();
    }

    @Override
    public boolean end(String realm, String session, String administrator) {
      return sessions.removeIf(s -> s.id().equals(session));
    }
  }

  /** Five logouts of the idp's that wait. */
  static final class FakeLogouts implements AdminResource.Logouts {
    @Override
    public String kind() {
      return "idp";
    }

    @Override
    public long count(String realm) {
      return 5;
    }

    @Override
    public List<AdminResource.LogoutView> page(String realm, String after, int most) {
      return IntStream.range(0, 5)
          .mapToObj(i -> "l" + i)
          .filter(id -> id.compareTo(after) > 0)
          .limit(most)
          .map(
              id ->
                  new AdminResource.LogoutView(
                      "idp", id, TestRealms.SP_ENTITY, "alice", TestTime.START, 2, Optional.of("no route"),
                      TestTime.START.plusSeconds(60), TestTime.START.plusSeconds(3600)))
          .toList();
    }
  }

  /** Alice has an app until it is reset. */
  static final class FakeSecondFactors implements AdminResource.SecondFactorAdmin {
    boolean isSetUp = true;
    String confirmed = "";

    @Override
    public Optional<AdminResource.SecondFactorView> ofPerson(String realm, String person) {
      var phone = new AdminResource.SecondFactorView.AuthenticatorApp("Phone", TestTime.START, Optional.empty());
      return person.equals("alice")
          ? Optional.of(
              new AdminResource.SecondFactorView("a11ce", "alice", isSetUp ? List.of(phone) : List.of(), isSetUp ? 7 : 0))
          : Optional.empty();
    }

    @Override
    public boolean reset(String realm, String person) {
      boolean was = isSetUp && person.equals("alice");
      isSetUp = isSetUp && !was;
      return was;
    }

    @Override
    public boolean confirm(String realm, Optional<String> person) {
      confirmed = person.orElse("everybody");
      return !confirmed.equals("nobody");
    }
  }

  /** Two clients until they are removed. */
  static final class FakeClients implements AdminResource.RegisteredClients {
    final List<String> ids = new ArrayList<>(List.of("c1", "c2"));

    @Override
    public List<AdminResource.ClientView> page(String realm, String after, int most) {
      return ids.stream()
          .filter(id -> id.compareTo(after) > 0)
          .limit(most)
          .map(
              id ->
                  new AdminResource.ClientView(
                      id, Optional.of("An app"), List.of("https://app.example/callback"), "loopback", TestTime.START))
          .toList();
    }

    @Override
    public Optional<AdminResource.ClientView> find(String realm, String clientId) {
      return page(realm, "", ids.size()).stream().filter(client -> client.clientId().equals(clientId)).findFirst();
    }

    @Override
    public boolean remove(String realm, String clientId) {
      return ids.remove(clientId);
    }
  }

  /** Remembers what was dropped. */
  static final class FakeResponses implements AdminResource.Responses {
    final List<String> dropped = new ArrayList<>();

    @Override
    public AdminResource.CacheView statistics(String realm) {
      return new AdminResource.CacheView(2, 3000, 4000, 5, 6, 7, 8);
    }

    @Override
    public Optional<Integer> dropUrl(String realm, String url) {
      dropped.add(url);
      return url.startsWith("http") ? Optional.of(1) : Optional.empty();
    }

    @Override
    public int dropTag(String realm, String tag) {
      dropped.add(tag);
      return 2;
    }

    @Override
    public int dropRoute(String realm, String route) {
      dropped.add(route);
      return 3;
    }

    @Override
    public int dropAll(String realm) {
      dropped.add("all");
      return 4;
    }
  }

  /** One server. */
  static final class FakeUpstreams implements AdminResource.AppServers {
    boolean draining;

    @Override
    public List<AdminResource.UpstreamView> all() {
      String state = draining ? "draining" : "up";
      return List.of(
          new AdminResource.UpstreamView(
              "10.0.0.1:8080", "http://10.0.0.1:8080", state, 3, 1000, 2, Optional.of("/health")));
    }

    @Override
    public boolean drain(String server, boolean wanted) {
      draining = wanted;
      return server.equals("10.0.0.1:8080");
    }
  }

  /** Links in memory; everybody whose name begins with "no" is unknown. */
  public static final class FakeLinks implements AdminResource.Federations {
    public final List<AdminResource.FederationView> links = new ArrayList<>();

    @Override
    public String kind() {
      return "links";
    }

    @Override
    public List<AdminResource.FederationView> page(String realm, String partner, String after, int most) {
      return links.stream()
          .filter(link -> link.partner().equals(partner) && link.nameId().compareTo(after) > 0)
          .limit(most)
          .toList();
    }

    @Override
    public List<AdminResource.FederationView> ofPerson(String realm, String person) {
      return links.stream().filter(link -> link.person().equals(person)).toList();
    }

    @Override
    public Optional<AdminResource.FederationView> find(String realm, String partner, String nameId) {
      return links.stream().filter(link -> link.partner().equals(partner) && link.nameId().equals(nameId)).findFirst();
    }

    @Override
    public Optional<AdminResource.PartnerNotification> end(String realm, String partner, String nameId, String administrator) {
      return links.removeIf(link -> link.partner().equals(partner) && link.nameId().equals(nameId))
          ? Optional.of(new AdminResource.PartnerNotification(false, Optional.of("it does not answer")))
          : Optional.empty();
    }

    @Override
    public Optional<AdminResource.PartnerNotification> renew(
        String realm, String partner, String nameId, Optional<String> calledHere, String administrator) {
      return links.stream().anyMatch(link -> link.nameId().equals(nameId))
          ? Optional.of(new AdminResource.PartnerNotification(true, Optional.empty()))
          : Optional.empty();
    }

    @Override
    public List<BulkFederation.Outcome> bulk(String realm, String partner, List<BulkFederation.Line> lines) {
      return lines.stream().map(line -> outcome(partner, line)).toList();
    }

    private BulkFederation.Outcome outcome(String partner, BulkFederation.Line line) {
      if (line.local().startsWith("no")) {
        return new BulkFederation.Outcome.Rejected(BulkFederation.Reason.LOCAL_NAME_UNKNOWN);
      }
      String nameId = line.nameId().orElseThrow();
      links.add(
          new AdminResource.FederationView(
              "links", partner, line.local(), nameId, Optional.empty(), TestTime.START));
      return new BulkFederation.Outcome.Federated(nameId, true);
    }
  }

  private final class FakeControl implements ConfigurationControl {
    @Override
    public Status status() {
      return new Status(TestTime.START, List.copyOf(problems), false);
    }

    @Override
    public Plan plan(Map<String, byte[]> files, boolean complete, Map<String, byte[]> secrets, ChangeScope scope) {
      TreeMap<String, FileTree.File> tree = new TreeMap<>();
      files.forEach((path, content) -> tree.put(path, new FileTree.File(content, false)));
      return new Plan(new FileTree(tree), List.copyOf(problems), List.of(), Set.of());
    }

    @Override
    public FileTree files() {
      return new FileTree(new TreeMap<>(Map.of("realms/demo.yaml", new FileTree.File(new byte[0], false))));
    }

    @Override
    public void onFiles(Consumer<FileTree> listener) {
      listener.accept(files());
    }

    @Override
    public Optional<Problem> destination(String realm, String url) {
      return Optional.empty();
    }

    @Override
    public Path directory() {
      return Path.of("/etc/gatehouse");
    }

    @Override
    public boolean isChangeable() {
      return false;
    }

    @Override
    public Proposal propose(String realm, String text, ChangeScope scope) {
      return proposals.apply(realm, text);
    }

    @Override
    public Status reload() {
      return status();
    }
  }

  /** Refuses after three wrong keys. */
  private final class FakeThrottle implements GuessThrottle {
    @Override
    public Optional<Duration> secretsRefused(
        String realm, String clientId, InetAddress address, dev.gatehouse.common.realm.ThrottleConfig limits) {
      throw new UnsupportedOperationException("administrators are no OAuth clients");
    }

    @Override
    public Optional<Duration> secretWasWrong(
        String realm, String clientId, boolean known, InetAddress address, dev.gatehouse.common.realm.ThrottleConfig limits) {
      throw new UnsupportedOperationException("administrators are no OAuth clients");
    }

    @Override
    public Failures failures(String realm, String loginName, String person, dev.gatehouse.common.realm.ThrottleConfig limits) {
      return Failures.NONE;
    }

    @Override
    public int forget(String realm, String loginName, String person) {
      return 0;
    }

    @Override
    public Admission admitCode(
        String realm, String person, InetAddress address, dev.gatehouse.common.realm.ThrottleConfig limits) {
      throw new UnsupportedOperationException("administrators have no second factor");
    }

    @Override
    public Admission admit(
        String realm, String loginName, GuessSource by, dev.gatehouse.common.realm.ThrottleConfig limits) {
      if (wrongKeys.incrementAndGet() > 3) {
        return new Admission.Refused(false, Duration.ofSeconds(42));
      }
      return new Admission.Admitted() {
        @Override
        public void succeeded() {
          wrongKeys.decrementAndGet();
        }

        @Override
        public void failed() {}

        @Override
        public void undecided() {
          wrongKeys.decrementAndGet();
        }
      };
    }
  }

  /** The demo's sp has metadata, its idp has none. */
  private static final class FakePartners implements PartnerRegistry {
    private final Realm realm = TestRealms.demo();

    @Override
    public Optional<Partner> find(String name, String entityId) {
      return all(name).stream().filter(p -> p.entityId().equals(entityId)).findFirst();
    }

    @Override
    public List<Partner> all(String name) {
      return realm.parties().partners().stream().map(FakePartners::partner).toList();
    }

    private static Partner partner(PartnerConfig config) {
      return config.entityId().equals(TestRealms.SP_ENTITY)
          ? new Partner(
              config,
              new Partner.MetadataState.Usable(
                  SamlFixtures.spMetadata(), Instant.parse("2026-01-01T11:00:00Z"), Optional.empty()))
          : new Partner(config, new Partner.MetadataState.Unusable("not fetched yet"));
    }

    @Override
    public Result<PartnerMetadata, SamlRefusal> metadata(String name, String entityId) {
      return new Result.Refused<>(new SamlRefusal(SamlRefusal.Reason.PARTNER_UNKNOWN, entityId));
    }
  }
}
