package dev.gatehouse.sp;

import dev.gatehouse.common.TestContext;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditRateLimit;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.backchannel.SoapCall;
import dev.gatehouse.common.crypto.DecryptionKey;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.crypto.VerificationKey;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.MemoryPersonSecrets;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.MemoryNamePairs;
import dev.gatehouse.common.directory.PasswordChanges;
import dev.gatehouse.common.federation.AccountLinks;
import dev.gatehouse.common.federation.BulkFederation;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.OutboundHttp;
import dev.gatehouse.common.key.KeyRing;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.logout.LogoutDelivery;
import dev.gatehouse.common.logout.LogoutDeliveryResult;
import dev.gatehouse.common.logout.LogoutNotice;
import dev.gatehouse.common.logout.LogoutNotices;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.Role;
import dev.gatehouse.common.otp.JdbcTokens;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.passkey.MemoryPasskeys;
import dev.gatehouse.common.passkey.Passkeys;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.page.ThymeleafPages;
import dev.gatehouse.common.realm.FixedRealms;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.registry.Partner;
import dev.gatehouse.common.registry.Partner.MetadataState;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.saml.message.CanonicalSamlWriter;
import dev.gatehouse.common.saml.message.Received;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage;
import dev.gatehouse.common.saml.message.SamlReader;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.saml.message.StrictSamlReader;
import dev.gatehouse.common.saml.metadata.CanonicalMetadataCodec;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.MemoryStores;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.throttle.WindowGuessThrottle;
import dev.gatehouse.sp.acs.DroppedValues;
import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.inspection.TestLogins;
import dev.gatehouse.sp.login.RouteLogin;
import dev.gatehouse.sp.logout.LogoutConfig;
import dev.gatehouse.sp.nameid.LinkChanges;
import dev.gatehouse.sp.provider.OpenIdProviders;
import dev.gatehouse.sp.secret.AppSecrets;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessions;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/**
 * A service provider as assembled by {@link SpServices}, with the real codec, stores in memory, a clock that stands
 * still, and an identity provider played by the test. The home origin is {@code https://app.example}, the other origin
 * {@code https://other.example}.
 */
public final class SpWorld implements AutoCloseable {

  /** One for all tests, because each would read every text and template anew. */
  private static final Pages PAGES = new ThymeleafPages();

  /** One for all tests, because a database takes a second: nobody has a token there. */
  private static final Tokens TOKENS = new JdbcTokens(Database.inMemory());
  private static final Passkeys PASSKEYS = new MemoryPasskeys();

  /** The binding of the identity provider's Responses. */
  public enum Delivery {
    POST,
    ARTIFACT
  }

  public static final String HOME = "https://app.example";
  public static final String OTHER = "https://other.example";

  /** The index of this node. */
  public static final int NODE = 1;

  public final TestTime time = new TestTime(SamlFixtures.NOW.minusSeconds(60));
  public final RecordingAuditLog audit = new RecordingAuditLog();
  public final SamlWriter writer = new CanonicalSamlWriter();
  public final SamlReader reader = new StrictSamlReader();
  public final FixedRealms realms;
  public final AppSessions sessions;
  public final ServiceProvider sp;
  public final AppSecrets secrets;
  public final TestPeople people = new TestPeople();
  public final DroppedValues dropped;
  public final LogoutNotices notices;
  /** The notices sent to the identity provider from server to server. */
  public final List<LogoutNotice> told = new CopyOnWriteArrayList<>();

  public final OpenIdProviders providers;
  private final AnnotationConfigApplicationContext context;
  private final OutboundHttp http = new OutboundHttp(OutboundHttp.Limits.USUAL);
  private volatile LogoutDeliveryResult answer = new LogoutDeliveryResult.Done();
  public final AccountLinks links;
  public final LinkChanges linkChanges;
  public final TestLogins tests;
  private final AtomicInteger ids = new AtomicInteger();
  private final AtomicInteger writes = new AtomicInteger();
  private final Optional<TestArtifacts> artifacts;
  private List<PartnerMetadata> identityProviders;
  private boolean partnerIsUsable = true;

  public SpWorld() {
    this(UnaryOperator.identity());
  }

  /** @param change of a realm in which unsolicited Responses are off */
  public SpWorld(UnaryOperator<TestRealms.Change> change) {
    this(change, Delivery.POST);
  }

  public SpWorld(UnaryOperator<TestRealms.Change> change, Delivery delivery) {
    this(change, delivery, MemoryStores::new, SealingKey.inMemory(new SecureRandom()));
  }

  /**
   * @param made part of the node's data, like the sealing key: another world with the same values continues after a
   *     restart
   */
  public SpWorld(
      UnaryOperator<TestRealms.Change> change,
      Delivery delivery,
      Function<InstantSource, Stores> made,
      SealingKey sealing) {
    TestRealms.Change base =
        TestRealms.change(TestRealms.demo())
            .spUrls(HOME, OTHER)
            .identityProvider(SamlFixtures.IDP)
            .partners(TestRealms.partner(SamlFixtures.IDP, SamlFixtures.IDP, Map.of()))
            .spUnsolicited(false);
    realms = new FixedRealms(change.apply(base).realm());
    Stores stores = new EncodedStores(made.apply(time), writes);
    artifacts = delivery == Delivery.ARTIFACT ? Optional.of(new TestArtifacts(writer, time)) : Optional.empty();
    identityProviders = List.of(artifacts.map(TestArtifacts::metadata).orElseGet(SamlFixtures::idpMetadata));
    links = MemoryNamePairs.links(time);
    KeyRings keyRings = realm -> new Ring();
    Directories directories = realm -> people;
    SecureRandom random = new SecureRandom();
    context =
        TestContext.of(
            List.of(SpServices.class),
            new BulkFederation(directories, MemoryNamePairs.nameIds(time), links, random),
            new CanonicalMetadataCodec(),
            new CountDownLatch(0),
            new MemoryPersonSecrets(),
            TOKENS,
            PASSKEYS,
            new PasswordChanges(),
            new RefusalLog(audit, new AuditRateLimit(time), new SimpleMeterRegistry().counter("unwritten"), random),
            new Registry(),
            new SimpleMeterRegistry(),
            new SoapCall(http, reader, writer),
            PAGES,
            new WindowGuessThrottle(time),
            audit,
            directories,
            http,
            keyRings,
            links,
            node(),
            people,
            random,
            reader,
            realms,
            sealing,
            stores,
            stores.replayCache(),
            time,
            writer);
    LogoutDelivery soap = (realm, notice) -> tell(notice);
    // Without the thread that repeats deliveries.
    context.registerBean("appLogoutNotices", LogoutNotices.class, () -> LogoutConfig.notices(stores, soap, audit, time));
    context.refresh();
    dropped = context.getBean(DroppedValues.class);
    sessions = context.getBean(AppSessions.class);
    notices = context.getBean(LogoutNotices.class);
    providers = context.getBean(OpenIdProviders.class);
    secrets = context.getBean(AppSecrets.class);
    linkChanges = context.getBean(LinkChanges.class);
    sp = context.getBean(ServiceProvider.class);
    tests = context.getBean(TestLogins.class);
    // Everything issued from now on is newer than the replay marks by every clock.
    time.advance(Duration.ofSeconds(60));
  }

  /** The second node of those that share the realm's URLs. */
  private static Node node() {
    Path folder = Path.of("target");
    Node.Listener listener = new Node.Listener(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Optional.empty());
    return new Node(
        Set.of(Role.SP),
        new Node.Listeners(List.of(), List.of(), listener, Optional.empty(), Optional.empty()),
        Node.Storage.VOLATILE,
        folder,
        List.of(),
        new Node.AuditConfig(folder, 1_000_000, Duration.ofDays(1)),
        NODE,
        List.of());
  }

  /** Sets the identity provider's answer from server to server. */
  public void answersLogouts(LogoutDeliveryResult told) {
    answer = told;
  }

  private LogoutDeliveryResult tell(LogoutNotice notice) {
    told.add(notice);
    return answer;
  }

  public Realm realm() {
    return realms.all().iterator().next();
  }

  /**
   * Serves a request as the gateway does: our paths are handled, others are protected pages of the route with that
   * prefix.
   */
  public EdgeReply serve(EdgeRequest request) {
    return request.path().startsWith(SpPaths.PREFIX)
        ? sp.handle(realm(), request)
        : sp.challenge(realm(), request, RouteLogin.of(request.path().split("/", 3)[1]), true);
  }

  public void identityProvider(PartnerMetadata... metadata) {
    identityProviders = List.of(metadata);
  }

  public void partnerIsUsable(boolean usable) {
    partnerIsUsable = usable;
  }

  /** The AuthnRequest in a redirect to the identity provider. */
  public SamlMessage.AuthnRequest authnRequest(EdgeReply reply) {
    return accepted(reader.authnRequest(SamlFixtures.followed(location(reply)), SamlFixtures.partners(us())));
  }

  /** The LogoutRequest in a redirect to the identity provider. */
  public SamlMessage.LogoutRequest logoutRequest(EdgeReply reply) {
    return accepted(reader.logoutRequest(SamlFixtures.followed(location(reply)), SamlFixtures.partners(us())));
  }

  /** The LogoutResponse in a redirect to the identity provider. */
  public SamlMessage.LogoutResponse logoutResponse(EdgeReply reply) {
    return accepted(reader.logoutResponse(SamlFixtures.followed(location(reply)), SamlFixtures.partners(us())));
  }

  /** A Response about alice to this request. */
  public SamlMessage.Response response(SamlMessage.AuthnRequest request) {
    return response(Optional.of(request.id()), "alice");
  }

  /** A Response about this user, issued now, with IDs of its own. */
  public SamlMessage.Response response(Optional<String> inResponseTo, String user) {
    Assertion assertion = assertion(inResponseTo, user);
    SamlMessage.Response model = SamlFixtures.response(inResponseTo, List.of(assertion));
    return new SamlMessage.Response(
        "_response-" + ids.incrementAndGet(),
        time.instant(),
        model.issuer(),
        model.destination(),
        inResponseTo,
        model.status(),
        model.assertions());
  }

  public Assertion assertion(Optional<String> inResponseTo, String user) {
    Assertion model = SamlFixtures.assertion("_assertion-" + ids.incrementAndGet(), inResponseTo);
    Instant end = time.instant().plus(Duration.ofMinutes(5));
    return Change.of(model)
        .issueInstant(time.instant())
        .notBefore(time.instant())
        .notOnOrAfter(end)
        .confirmedUntil(Optional.of(end))
        .attributes(
            List.of(
                SamlAttribute.basic("uid", List.of(user)),
                SamlAttribute.basic("roles", List.of("employee")),
                SamlAttribute.basic("groups", List.of("staff", "chess"))))
        .assertion();
  }

  /** The form that a browser posts for the identity provider, with a signed assertion. */
  public EdgeRequest posted(SamlMessage.Response response, Optional<String> relayState) {
    return posted(response, relayState, SamlWriter.Signed.ASSERTION, SamlFixtures.idpKey());
  }

  public EdgeRequest posted(
      SamlMessage.Response response, Optional<String> relayState, SamlWriter.Signed what, SigningKey key) {
    return SamlFixtures.posted(
        artifacts
            .map(held -> held.post(response, SamlFixtures.SP_ACS, relayState, key, what))
            .orElseGet(() -> writer.postResponse(response, SamlFixtures.SP_ACS, relayState, key, what)));
  }

  /** The session to which a browser's cookie at this origin belongs. */
  public Optional<AppSession> session(TestBrowser browser, String origin) {
    return browser
        .cookie(origin, "__Host-gh_app")
        .flatMap(SessionToken::parse)
        .flatMap(token -> sessions.load("demo", token));
  }

  /** The identity provider's side of the artifact binding; only with that delivery. */
  public TestArtifacts artifacts() {
    return artifacts.orElseThrow();
  }

  @Override
  public void close() {
    artifacts.ifPresent(TestArtifacts::close);
    context.close();
    http.close();
  }

  /** The audited reasons, oldest first. */
  public List<String> refusals() {
    return audit.events(AuditEvent.MessageRefused.class).stream().map(AuditEvent.MessageRefused::reason).toList();
  }

  /** The number of writes to single-use stores and replay marks so far. */
  public int storeWrites() {
    return writes.get();
  }

  /** The number of sessions opened so far. */
  public int opened() {
    return audit.events(AuditEvent.AssertionAccepted.class).size();
  }

  public static URI location(EdgeReply reply) {
    return URI.create(reply.headers().first("Location").orElseThrow(() -> new AssertionError("no redirect: " + reply)));
  }

  private static PartnerMetadata us() {
    return SamlFixtures.spMetadata(true);
  }

  private static <M extends SamlMessage> M accepted(Result<Received<M>, SamlRefusal> reading) {
    return switch (reading) {
      case Result.Accepted(Received<M> received) -> received.message();
      case Result.Refused(SamlRefusal refusal) -> throw new AssertionError(refusal.toString());
    };
  }

  private static final class Ring implements KeyRing {
    @Override
    public SigningKey current(KeyUse use) {
      return SamlFixtures.spKey();
    }

    @Override
    public List<VerificationKey> published(KeyUse use) {
      return List.of(SamlFixtures.publicHalf(SamlFixtures.spKey()));
    }

    @Override
    public List<DecryptionKey> decryption(KeyUse use) {
      return List.of(new DecryptionKey("spKey", SamlFixtures.spKey().privateKey()));
    }
  }

  private final class Registry implements PartnerRegistry {
    @Override
    public Optional<Partner> find(String realm, String entityId) {
      return realm().parties().partners().stream()
          .filter(config -> config.entityId().equals(entityId))
          .findFirst()
          .map(config -> new Partner(config, state(entityId)));
    }

    private MetadataState state(String entityId) {
      return switch (metadata(realm().name(), entityId)) {
        case Result.Accepted(PartnerMetadata metadata) ->
            new MetadataState.Usable(metadata, SamlFixtures.NOW, Optional.empty());
        case Result.Refused(SamlRefusal refusal) -> new MetadataState.Unusable(refusal.detail());
      };
    }

    @Override
    public List<Partner> all(String realm) {
      return realm().parties().partners().stream().flatMap(config -> find(realm, config.entityId()).stream()).toList();
    }

    @Override
    public Result<PartnerMetadata, SamlRefusal> metadata(String realm, String entityId) {
      Optional<PartnerMetadata> known =
          identityProviders.stream().filter(metadata -> metadata.entityId().equals(entityId)).findFirst();
      if (known.isEmpty()) {
        return new Result.Refused<>(new SamlRefusal(SamlRefusal.Reason.PARTNER_UNKNOWN, entityId));
      }
      return partnerIsUsable
          ? new Result.Accepted<>(known.get())
          : new Result.Refused<>(new SamlRefusal(SamlRefusal.Reason.PARTNER_METADATA_UNAVAILABLE, entityId));
    }
  }
}
