package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent.AccessDenied;
import dev.gatehouse.common.audit.AuditRateLimit;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.db.MemoryPersonSecrets;
import dev.gatehouse.common.http.OutboundHttp;
import dev.gatehouse.common.jose.DpopNonces;
import dev.gatehouse.common.jose.DpopProofs;
import dev.gatehouse.common.device.BoundCookies;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.node.AccessLogConfig;
import dev.gatehouse.common.node.GatewayNodeConfig;
import dev.gatehouse.common.metric.HistogramFamily;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.metric.SampleFamily;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.NodeLimits;
import dev.gatehouse.common.node.NodeLimits.Apps;
import dev.gatehouse.common.node.NodeLimits.Times;
import dev.gatehouse.common.node.Role;
import dev.gatehouse.common.node.SpaceConfig;
import dev.gatehouse.common.node.TracingConfig;
import dev.gatehouse.common.node.TrustedProxies;
import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.common.realm.FixedRealms;
import dev.gatehouse.common.realm.GatewayConfig;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.InjectConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TestRoutes;
import dev.gatehouse.common.realm.UpstreamConfig;
import dev.gatehouse.common.store.MemoryStores;
import dev.gatehouse.gateway.authn.AuthnServices;
import dev.gatehouse.gateway.authn.DeviceChecks;
import dev.gatehouse.gateway.bearer.AccessTokens;
import dev.gatehouse.gateway.cache.ResponseCache;
import dev.gatehouse.gateway.effect.DecisionRecorder;
import dev.gatehouse.gateway.exchange.ExchangeConfig;
import dev.gatehouse.gateway.exchange.ExchangeServices;
import dev.gatehouse.gateway.fill.FormFillDecisions;
import dev.gatehouse.gateway.inject.IdentityTokens;
import dev.gatehouse.gateway.message.HeadLimits;
import dev.gatehouse.gateway.message.RequestParser;
import dev.gatehouse.gateway.netty.loop.GatewayEventLoop;
import dev.gatehouse.gateway.refusal.Refusals;
import dev.gatehouse.gateway.refusal.TrafficGuard;
import dev.gatehouse.gateway.signon.SessionUses;
import dev.gatehouse.gateway.signon.VerifiedCertificates;
import dev.gatehouse.gateway.signon.VerifiedPasswords;
import dev.gatehouse.gateway.tracing.NodeTracing;
import dev.gatehouse.gateway.traffic.BufferBudget;
import dev.gatehouse.gateway.traffic.GatewayMetrics;
import dev.gatehouse.gateway.traffic.HeldBodies;
import dev.gatehouse.gateway.traffic.MaintenanceSwitches;
import dev.gatehouse.gateway.traffic.MemoryReserve;
import dev.gatehouse.gateway.traffic.Protection;
import dev.gatehouse.gateway.traffic.Rates;
import dev.gatehouse.gateway.upstream.AppTimers;
import dev.gatehouse.gateway.upstream.UpstreamTimeouts;
import dev.gatehouse.gateway.upstream.Upstreams;
import dev.gatehouse.sp.provider.OpenIdProviders;
import dev.gatehouse.sp.provider.ProviderCalls;
import dev.gatehouse.sp.secret.AppSecrets;
import dev.gatehouse.sp.session.SessionPasswords;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;

/**
 * A real gateway on a free port before one app: {@code /public/} for anybody, {@code /manager/} for managers, the rest for
 * people; POSTs below {@code /form/} are kept over a login. The host is {@code app.localhost} on the default port, so
 * that tests need not know the real one.
 */
final class TestGateway implements AutoCloseable {

  private final FakeSessions sessions = new FakeSessions();
  private final FakeServiceProvider serviceProvider = new FakeServiceProvider();
  private final RecordingAuditLog audit = new RecordingAuditLog();
  private final BoundCookies boundCookies = new BoundCookies(SealingKey.inMemory(new Random(6)));
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final OutboundHttp http = new OutboundHttp(OutboundHttp.Limits.USUAL);
  private final ResponseCache cache = new ResponseCache(4 << 20, 8 << 20);
  private final TestTime time = new TestTime();
  private final AppSecrets secrets =
      new AppSecrets(new MemoryPersonSecrets(), SealingKey.inMemory(new SecureRandom()), audit, time);
  private final SessionPasswords passwords = new SessionPasswords(new MemoryStores(time));
  private final FakeSignOn signOn = new FakeSignOn(sessions, time);
  private final OpenIdProviders providers;
  private final FixedRealms realms;
  private final Upstreams upstreams;
  private final MetricFamilies metricFamilies = MetricFamilies.unpublished();
  private final GatewayServer server;
  private final RecordedRefusals traces = new RecordedRefusals();
  private final NodeTracing tracing;
  /** Bytes of the pretended budget of direct memory. */
  static final long MAX_BUFFERS = 1000;

  private static final Duration SOON = Duration.ofMillis(600);

  private volatile double freeMemory = 1;
  private volatile double freeDirect = 1;
  private volatile long usedBuffers;
  private final MaintenanceSwitches maintenance = new MaintenanceSwitches(Optional.empty());
  private final HeldBodies bodies = new HeldBodies(1 << 20);

  /** How often requests of a route, or without one, had a status of that class. */
  long requests(String route, String statusClass) {
    long[] count = {0};
    ((HistogramFamily) metricFamilies.families().getFirst()).forEach(
        (labels, histogram) -> {
          if (labels.get(1).equals(route) && labels.getLast().equals(statusClass)) {
            count[0] += Arrays.stream(histogram.counts()).sum();
          }
        });
    return count[0];
  }

  /** The value of a metric of a server. */
  double ofServer(String name, String server) {
    return metricFamilies.families().stream()
        .filter(family -> family.name().equals(name))
        .map(family -> ((SampleFamily) family).samples().getOrDefault(List.of(server), -1.0))
        .findFirst()
        .orElseThrow();
  }

  private TestGateway(FixedRealms realms, Node node, NodeLimits limits) {
    this.realms = realms;
    this.providers = new OpenIdProviders(realms, http, time, new Random(2), new CountDownLatch(0));
    ProviderCalls calls =
        new ProviderCalls(
            http,
            realm -> {
              throw new IllegalStateException("no key is needed here");
            },
            time,
            new Random(3));
    DpopProofs proofs = new DpopProofs(
            new MemoryStores(time).replayCache(), new DpopNonces(SealingKey.inMemory(new Random(5)), time), time);
    Protection protection =
        new Protection(
            new MemoryReserve(10, () -> freeMemory, () -> freeDirect),
            maintenance,
            new BufferBudget(MAX_BUFFERS, () -> usedBuffers),
            bodies);
    GatewayMetrics metrics = new GatewayMetrics(meters);
    this.tracing = NodeTracing.of(node, meters, time);
    Random random = new Random(1);
    this.upstreams = new Upstreams(UpstreamTimeouts.of(limits), AppTimers.of(metricFamilies, GatewayNodeConfig.USUAL_LABEL_VALUES));
    upstreams.publish(metricFamilies, GatewayNodeConfig.USUAL_LABEL_VALUES);
    ExchangeServices services =
        new ExchangeServices(
            new ExchangeConfig().routes(realms, node, upstreams, cache),
            serviceProvider,
            new AuthnServices(
                sessions,
                new AccessTokens(providers, calls, proofs, time),
                new VerifiedPasswords(signOn, time, random),
                new VerifiedCertificates(signOn, time, random),
                new IdentityTokens(realm -> new TestKeyRing(), time, new Random(4)),
                new SessionUses(),
                DecisionRecorder.NONE,
                new DeviceChecks(boundCookies, audit, meters),
                time),
            cache,
            new FormFillDecisions(secrets, passwords, time),
            new Refusals(new FakePages(), audit, new AuditRateLimit(time), metrics, random, traces, time),
            new RequestParser(HeadLimits.of(limits.messages())),
            limits,
            metrics,
            new TrafficGuard(new Rates(), protection, limits, time));
    this.server = new GatewayServer(node, services, upstreams, protection.buffers(), meters, time, random, tracing.tracing());
    server.start();
  }

  /** Of that realm alone. */
  static TestGateway of(Realm realm) {
    return new TestGateway(new FixedRealms(realm), node(List.of(), Optional.empty(), Role.GATEWAY), quick());
  }

  static TestGateway impatientOf(Realm realm) {
    return impatientOf(realm, SOON);
  }

  /** @param soon every limit but that of idle connections */
  static TestGateway impatientOf(Realm realm, Duration soon) {
    return new TestGateway(
        new FixedRealms(realm), node(List.of(), Optional.empty(), Role.GATEWAY), impatient(quick(), soon, Duration.ofSeconds(2)));
  }

  static TestGateway before(RawApp app) {
    return before(app.port(), limits -> limits);
  }

  /** All routes lead to that app's servers. */
  static TestGateway before(UpstreamConfig app) {
    return of(realm(app));
  }

  /** As {@link #trusting(RawApp, Cidr)}, with traces for a collector. */
  static TestGateway traced(RawApp app, Cidr proxies, TracingConfig tracing) {
    Node plain = node(List.of(proxies), Optional.empty(), Role.GATEWAY);
    GatewayNodeConfig usual = plain.gateway();
    GatewayNodeConfig traced =
        new GatewayNodeConfig(
            usual.accessLog(), usual.limits(), usual.memoryReserve(), usual.cacheMemory(), usual.bufferMemory(), usual.labelValues(),
            Optional.of(tracing), usual.analytics());
    Node node =
        new Node(
            plain.roles(), plain.listeners(), plain.state(), plain.trustedProxies(), plain.audit(), plain.index(),
            plain.outbound(), traced, SpaceConfig.USUAL);
    return new TestGateway(realms(app.port()), node, quick());
  }

  /** As {@link #before(RawApp)}, with an access log, and TLS where there are files for it. */
  static TestGateway logging(RawApp app, AccessLogConfig log, Optional<Node.Tls> tls) {
    Node plain = node(List.of(), tls, Role.GATEWAY);
    Node logging =
        new Node(
            plain.roles(), plain.listeners(), plain.state(), plain.trustedProxies(), plain.audit(), plain.index(),
            plain.outbound(), new GatewayNodeConfig(Optional.of(log), NodeLimits.USUAL, 0), SpaceConfig.USUAL);
    return new TestGateway(realms(app.port()), logging, quick());
  }

  static Realm realm(UpstreamConfig app) {
    Realm realm = realm(app.servers().getFirst().url());
    return TestRealms.change(realm)
        .routes(realm.gateway().routes().stream().map(route -> TestRoutes.withUpstream(route, app)).toArray(RouteConfig[]::new))
        .realm();
  }

  static TestGateway before(int port, UnaryOperator<NodeLimits> change) {
    return new TestGateway(realms(port), node(List.of(), Optional.empty(), Role.GATEWAY), change.apply(quick()));
  }

  static TestGateway trusting(RawApp app, Cidr proxies) {
    return new TestGateway(realms(app.port()), node(List.of(proxies), Optional.empty(), Role.GATEWAY), quick());
  }

  static TestGateway trusting(Realm realm, Cidr proxies, UnaryOperator<NodeLimits> change) {
    return new TestGateway(
        new FixedRealms(realm), node(List.of(proxies), Optional.empty(), Role.GATEWAY), change.apply(quick()));
  }

  /** With a listener that expects PROXY headers of those balancers. */
  static TestGateway behindBalancer(RawApp app, Cidr balancers, Optional<Node.Tls> tls, UnaryOperator<NodeLimits> change) {
    Node.Listener listener =
        new Node.Listener(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), tls, List.of(), Optional.empty(), true);
    return new TestGateway(realms(app.port()), with(TrustedProxies.of(List.of(balancers)), listener), change.apply(quick()));
  }

  /** Behind proxies that write Forwarded. */
  static TestGateway behindForwarding(RawApp app, Cidr proxies) {
    TrustedProxies forwarding = new TrustedProxies(List.of(proxies), TrustedProxies.ForwardedFields.FORWARDED);
    Node.Listener listener = new Node.Listener(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Optional.empty());
    return new TestGateway(realms(app.port()), with(forwarding, listener), quick());
  }

  private static Node with(TrustedProxies proxies, Node.Listener listener) {
    Node plain = node(List.of(), Optional.empty(), Role.GATEWAY);
    return new Node(
        plain.roles(), new Node.Listeners(List.of(), List.of(listener), listener, Optional.empty(), Optional.empty()),
        plain.state(), proxies, plain.audit(), plain.index(), plain.outbound(), plain.gateway(), SpaceConfig.USUAL);
  }

  static TestGateway trusting(RawApp app, Cidr proxies, Node.Tls tls) {
    return new TestGateway(realms(app.port()), node(List.of(proxies), Optional.of(tls), Role.GATEWAY), quick());
  }

  /** With one route that tells its app that. */
  static TestGateway trusting(RawApp app, Cidr proxies, InjectConfig inject) {
    return trusting(app, proxies, inject, UpstreamConfig.of(URI.create("http://127.0.0.1:" + app.port())));
  }

  static TestGateway trusting(RawApp app, Cidr proxies, InjectConfig inject, UpstreamConfig servers) {
    RouteConfig route =
        TestRoutes.withUpstream(
            TestRoutes.withInject(TestRealms.route("app", "/", URI.create("http://127.0.0.1:" + app.port()), new Access.Protected()), inject),
            servers);
    Realm realm = TestRealms.change(TestRealms.demo()).spUrls("http://app.localhost").routes(route).realm();
    return new TestGateway(new FixedRealms(realm), node(List.of(proxies), Optional.empty(), Role.GATEWAY), quick());
  }

  static TestGateway secure(RawApp app, Node.Tls tls) {
    return new TestGateway(realms(app.port()), node(List.of(), Optional.of(tls), Role.GATEWAY), quick());
  }

  /** Of that realm, with these certificates, asking for client certificates of those authorities. */
  static TestGateway secure(Realm realm, List<Node.Tls> certificates, Optional<Path> clientAuthorities) {
    return secure(realm, certificates, clientAuthorities, List.of());
  }

  static TestGateway secure(
      Realm realm, List<Node.Tls> certificates, Optional<Path> clientAuthorities, List<Cidr> proxies) {
    Node usual = node(List.of(), Optional.empty(), Role.GATEWAY);
    Node.Listener listener =
        new Node.Listener(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            Optional.of(certificates.getFirst()),
            certificates.subList(1, certificates.size()),
            clientAuthorities);
    Node node =
        new Node(
            usual.roles(),
            new Node.Listeners(List.of(), List.of(listener), listener, Optional.empty(), Optional.empty()),
            usual.storage(),
            usual.data(),
            proxies,
            usual.audit(),
            0,
            List.of());
    return new TestGateway(new FixedRealms(realm), node, quick());
  }

  /** Only the role sp. */
  static TestGateway withoutApps(RawApp app) {
    return new TestGateway(realms(app.port()), node(List.of(), Optional.empty(), Role.SP), quick());
  }

  static TestGateway before(URI app) {
    return new TestGateway(new FixedRealms(realm(app)), node(List.of(), Optional.empty(), Role.GATEWAY), quick());
  }

  private static FixedRealms realms(int port) {
    return new FixedRealms(realm(URI.create("http://127.0.0.1:" + port)));
  }

  static Realm realm(URI app) {
    RouteConfig form =
        new RouteConfig(
            "form", new GatewayConfig.Match(Set.of("app.localhost"), "/form/"), app, new Access.Protected(),
            Map.of("Remote-User", "user"), GatewayConfig.SignOn.form(true, Optional.empty(), List.of(), Optional.empty()));
    Map<String, String> inject =
        Map.of("Remote-User", "user", "Remote-Groups", "groups", "X-Identity", "user", "X-Mail", "mail");
    RouteConfig people =
        new RouteConfig(
            "app", new GatewayConfig.Match(Set.of("app.localhost"), "/"), app, new Access.Protected(), inject,
            GatewayConfig.SignOn.USUAL);
    return TestRealms.change(TestRealms.demo())
        .spUrls("http://app.localhost", "https://app.localhost")
        .sp(TestGateway::onNodes)
        .routes(
            TestRealms.route("public", "/public/", app, new Access.Public()),
            TestRealms.route("manager", "/manager/", app, new Access.RequiresRole(Set.of("manager"))),
            form,
            people)
        .realm();
  }

  /** Single nodes are addressed at an unusual port of the app's host, and at a host of their own. */
  private static SpConfig onNodes(SpConfig sp) {
    return new SpConfig(
        sp.publicUrl(), sp.otherOrigins(), sp.identityProviders(), sp.unsolicited(), sp.session(), sp.subject(),
        sp.requestedAttributes(), List.of(URI.create("http://app.localhost:99"), URI.create("http://node.localhost")));
  }

  private static Node node(List<Cidr> proxies, Optional<Node.Tls> tls, Role role) {
    Node.Listener listener = new Node.Listener(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), tls);
    return new Node(
        EnumSet.of(Role.SP, role),
        new Node.Listeners(List.of(), List.of(listener), listener, Optional.empty(), Optional.empty()),
        Node.Storage.VOLATILE,
        Path.of("target"),
        proxies,
        new Node.AuditConfig(Path.of("target"), 1_000_000, Duration.ofDays(1)),
        0,
        List.of());
  }

  /** The standard limits with a short drain. */
  static NodeLimits quick() {
    Times t = NodeLimits.USUAL.times();
    return with(
        NodeLimits.USUAL,
        new Times(
            t.head(), t.body(), t.idle(), t.write(), t.connect(), t.response(), t.appIdle(), t.appSafe(), Duration.ofMillis(500)));
  }

  /** Those with the times that a test can wait for. */
  static NodeLimits impatient(NodeLimits l) {
    return impatient(l, SOON, Duration.ofSeconds(2));
  }

  /** @param idle how long a connection may be without a request */
  static NodeLimits impatient(NodeLimits l, Duration soon, Duration idle) {
    Times t = l.times();
    return with(l, new Times(soon, soon, idle, soon, soon, soon, t.appIdle(), t.appSafe(), t.drain()));
  }

  private static NodeLimits with(NodeLimits l, Times times) {
    return new NodeLimits(
        l.connections(), l.connectionsPerAddress(), l.messages(), l.appConnections(), times, l.flow(), l.apps());
  }

  /** Those with other limits of connections to apps. */
  static NodeLimits with(NodeLimits l, Apps apps) {
    return new NodeLimits(
        l.connections(), l.connectionsPerAddress(), l.messages(), l.appConnections(), l.times(), l.flow(), apps);
  }

  /** Those with other limits of connections from clients. */
  static NodeLimits withConnections(NodeLimits l, int most, int perAddress) {
    return new NodeLimits(most, perAddress, l.messages(), l.appConnections(), l.times(), l.flow(), l.apps());
  }

  MaintenanceSwitches maintenance() {
    return maintenance;
  }

  /** The share of the heap that is free from now on, 0 to 1. */
  void freeMemory(double share) {
    freeMemory = share;
  }

  /** The share of direct memory that is free from now on, 0 to 1. */
  void freeDirect(double share) {
    freeDirect = share;
  }

  /** Bytes that buffers take from now on, of {@link #MAX_BUFFERS}. */
  void usedBuffers(long bytes) {
    usedBuffers = bytes;
  }

  /** Bytes of bodies that the gateway itself takes, of a megabyte. */
  long heldBodies() {
    return bodies.bytes();
  }

  /** Bytes of buffers that wait in connections. */
  long held() {
    return server.loops().stream().mapToLong(GatewayEventLoop::held).sum();
  }

  RawClient connect() throws IOException {
    return new RawClient(port());
  }

  int port() {
    return server.ports().getFirst();
  }

  void announceEnd(boolean wanted) {
    server.announceEnd(wanted);
    // Their event loops do it in order.
    server.loops().forEach(loop -> loop.executor().submit(() -> {}).syncUninterruptibly());
  }

  ResponseCache cache() {
    return cache;
  }

  FakeSessions sessions() {
    return sessions;
  }

  FakeSignOn signOn() {
    return signOn;
  }

  FakeServiceProvider serviceProvider() {
    return serviceProvider;
  }

  AppSecrets secrets() {
    return secrets;
  }

  SessionPasswords passwords() {
    return passwords;
  }

  FixedRealms realms() {
    return realms;
  }

  GatewayServer server() {
    return server;
  }

  /** The apps' servers. */
  Upstreams upstreams() {
    return upstreams;
  }

  TestTime time() {
    return time;
  }

  OpenIdProviders providers() {
    return providers;
  }

  BoundCookies boundCookies() {
    return boundCookies;
  }

  RecordingAuditLog audit() {
    return audit;
  }

  RecordedRefusals refusals() {
    return traces;
  }

  SimpleMeterRegistry meters() {
    return meters;
  }

  /** The reasons of everything that was denied so far. */
  List<String> denials() {
    return audit.events(AccessDenied.class).stream().map(AccessDenied::reason).toList();
  }

  @Override
  public void close() {
    server.stop();
    tracing.close();
    providers.close();
    http.close();
  }
}
