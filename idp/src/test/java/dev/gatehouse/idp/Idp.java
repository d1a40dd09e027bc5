package dev.gatehouse.idp;

import dev.gatehouse.common.TestContext;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.admin.PersonRecords;
import dev.gatehouse.common.audit.AuditRateLimit;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.backchannel.SoapCall;
import dev.gatehouse.common.crypto.DecryptionKey;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.crypto.VerificationKey;
import dev.gatehouse.common.db.Consents;
import dev.gatehouse.common.db.MemoryConsents;
import dev.gatehouse.common.db.MemoryMailOutbox;
import dev.gatehouse.common.db.MemoryPasswordResets;
import dev.gatehouse.common.db.MemoryRegisteredClients;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.otp.JdbcTokens;
import dev.gatehouse.common.otp.KnownPeople;
import dev.gatehouse.common.otp.TokenRegister;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.db.PasswordResets;
import dev.gatehouse.common.db.RegisteredClients;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.MemoryNamePairs;
import dev.gatehouse.common.directory.PasswordChanges;
import dev.gatehouse.common.federation.BulkFederation;
import dev.gatehouse.common.federation.PersistentNameIds;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.http.OutboundHttp;
import dev.gatehouse.common.http.PublicHttp;
import dev.gatehouse.common.key.KeyRing;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.key.TokenKeys;
import dev.gatehouse.common.logout.LogoutNotices;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.page.ThymeleafPages;
import dev.gatehouse.common.passkey.MemoryPasskeys;
import dev.gatehouse.common.passkey.Passkeys;
import dev.gatehouse.common.realm.FixedRealms;
import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.remembered.RowChanges;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.message.CanonicalSamlWriter;
import dev.gatehouse.common.saml.message.ReceivedResponse;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.SamlMessage.NameIdPolicy;
import dev.gatehouse.common.saml.message.SamlWriter.PostForm;
import dev.gatehouse.common.saml.message.StrictSamlReader;
import dev.gatehouse.common.saml.metadata.CanonicalMetadataCodec;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.AssertionConsumerService;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import dev.gatehouse.common.store.MemoryStores;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.throttle.Turns;
import dev.gatehouse.idp.authn.PasswordEnds;
import dev.gatehouse.idp.edge.EndpointDispatcher;
import dev.gatehouse.idp.edge.Routes;
import dev.gatehouse.idp.endpoint.Route;
import dev.gatehouse.idp.endpoint.RouteGroup;
import dev.gatehouse.idp.oauth.registration.InitialAccessTokens;
import dev.gatehouse.idp.otp.PinCost;
import dev.gatehouse.idp.reset.ResetTasks;
import dev.gatehouse.idp.saml.artifact.ArtifactNode;
import dev.gatehouse.idp.saml.slo.SessionExpiry;
import dev.gatehouse.idp.session.IdpSessions;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** An identity provider in memory, with two cooperating service providers. */
final class Idp {

  static final String ENTITY = TestRealms.IDP_ENTITY;
  static final String SSO = ENTITY + "/saml/sso";
  static final String SLO = ENTITY + "/saml/slo";
  static final String APP = "https://app.example/saml";
  static final String APP_ACS = APP + "/acs";
  static final String APP_SLO = APP + "/slo";
  static final String WIKI = "https://wiki.example/saml";
  static final String WIKI_ACS = WIKI + "/acs";
  static final String WIKI_SLO = WIKI + "/slo";

  static final String REGISTRATION_TOKEN = "ghr_test";

  final TestTime time;
  final RecordingAuditLog audit;
  final Consents consents;
  final FakeDirectory directory = new FakeDirectory();
  final FixedPartners partners = new FixedPartners();
  /** One for all tests, because each would read every text and template anew. */
  static final Pages PAGES = new ThymeleafPages();

  /** One for all tests, because a database takes a second: whatever is no restart begins without tokens. */
  private static final Database TOKEN_DATABASE = Database.inMemory();
  static final PinCost PIN_COST = new PinCost(8, 1);
  static final Tokens TOKENS = new JdbcTokens(TOKEN_DATABASE);
  private static final List<String> TOKEN_TABLES =
      List.of("otp_token", "otp_person", "otp_emergency", "second_factor", "second_factor_state", "recovery_code");
  static final TokenRegister TOKEN_REGISTER = new TokenRegister(TOKEN_DATABASE);
  static final KnownPeople KNOWN_PEOPLE = new KnownPeople(TOKEN_DATABASE);

  final LosableSecondFactors secondFactors = new LosableSecondFactors(TOKEN_DATABASE);
  final Passkeys passkeys = new MemoryPasskeys();
  final RegisteredClients registeredClients = new MemoryRegisteredClients();
  final PasswordResets resets = new MemoryPasswordResets();
  final MemoryMailOutbox outbox = new MemoryMailOutbox();
  final RecordingNotices notices = new RecordingNotices();
  final FixedRealms realms;
  final KeyRings keys = realm -> new OneKey();
  final BackChannel backChannel = new BackChannel();
  final Pages pages = PAGES;
  final AnnotationConfigApplicationContext context;
  final EndpointDispatcher dispatch;
  private int requests;

  Idp() {
    this(TestRealms.demo());
  }

  Idp(Realm... all) {
    this(new TestTime(SamlFixtures.NOW), all);
  }

  private Idp(TestTime time, Realm... all) {
    this(time, PIN_COST, all);
  }

  /** With PINs at another cost. */
  Idp(TestTime time, PinCost pins, Realm... all) {
    this(time, new MemoryStores(time), SealingKey.inMemory(new SecureRandom()), pins, all);
    JdbcClient jdbc = JdbcClient.create(TOKEN_DATABASE.dataSource());
    TOKEN_TABLES.forEach(table -> jdbc.sql("delete from " + table).update());
  }

  /** Runs it while the database takes no token as lost, as that of a replica. */
  static void refusingLostTokens(Runnable meanwhile) {
    JdbcClient jdbc = JdbcClient.create(TOKEN_DATABASE.dataSource());
    jdbc.sql("alter table otp_token add constraint none_lost check (state <> 'LOST')").update();
    try {
      meanwhile.run();
    } finally {
      jdbc.sql("alter table otp_token drop constraint none_lost").update();
    }
  }

  /** On these stores, under this key: a second one is a restart. */
  Idp(TestTime time, Stores stores, SealingKey sealing, Realm... all) {
    this(time, stores, sealing, PIN_COST, all);
  }

  private Idp(TestTime time, Stores stores, SealingKey sealing, PinCost pins, Realm... all) {
    this.time = time;
    audit = new RecordingAuditLog();
    consents = new MemoryConsents(time);
    realms = new FixedRealms(all);
    partners.put(config(APP, NameIdFormat.TRANSIENT), metadata(APP, false));
    partners.put(config(WIKI, NameIdFormat.PERSISTENT), metadata(WIKI, true));
    SecureRandom random = new SecureRandom();
    PersistentNameIds nameIds = MemoryNamePairs.nameIds(time);
    context =
        TestContext.of(
            List.of(IdpServices.class),
            realms,
            keys,
            (Directories) realm -> directory,
            stores,
            stores.replayCache(),
            nameIds,
            new BulkFederation(realm -> directory, nameIds, MemoryNamePairs.links(time), random),
            partners,
            new StrictSamlReader(),
            new CanonicalSamlWriter(),
            new CanonicalMetadataCodec(),
            pages,
            new CountingThrottle(),
            consents,
            new SoapCall(
                new OutboundHttp(OutboundHttp.Limits.USUAL), new StrictSamlReader(), new CanonicalSamlWriter()),
            secondFactors,
            passkeys,
            TOKENS,
            TOKEN_REGISTER,
            KNOWN_PEOPLE,
            Turns.ALONE,
            pins,
            new PasswordChanges(),
            new SimpleMeterRegistry(),
            sealing,
            registeredClients,
            resets,
            outbox,
            notices,
            new PersonRecords(realm -> directory, this::resources, person -> List.of(), audit, time),
            PublicHttp.of(InetAddress::isLoopbackAddress),
            audit,
            new RefusalLog(audit, new AuditRateLimit(time), new SimpleMeterRegistry().counter("unwritten"), random),
            time,
            random);
    context.registerBean("idpSoapLogout", BackChannel.class, () -> backChannel);
    context.registerBean("passwordResetTasks", ResetTasks.class, () -> Runnable::run);
    context.registerBean("rowChanges", RowChanges.class, TOKEN_DATABASE::rowChanges);
    context.registerBean("artifactNode", ArtifactNode.class, () -> new ArtifactNode(0));
    context.registerBean(
        "initialAccessTokens",
        InitialAccessTokens.class,
        () -> token -> Optional.of("ops").filter(name -> token.equals(REGISTRATION_TOKEN)));
    // Not started: tests perform the background work themselves.
    context.registerBean(
        "idpSessionExpiry",
        SessionExpiry.class,
        () ->
            new SessionExpiry(
                context.getBean(IdpSessions.class), context.getBean("idpLogoutNotices", LogoutNotices.class)));
    context.refresh();
    dispatch = new EndpointDispatcher(realms, new Routes(groups()), pages, random);
  }

  private PersonRecords.Resources resources() {
    return new PersonRecords.Resources(
        all(AdminResource.Sessions.class), all(AdminResource.Federations.class), all(AdminResource.SecondFactorAdmin.class),
        all(AdminResource.PersonData.class));
  }

  private <T> List<T> all(Class<T> type) {
    return context.getBeanProvider(type).stream().toList();
  }

  private List<RouteGroup> groups() {
    return context.getBeanProvider(RouteGroup.class).stream().toList();
  }

  List<Route> routes() {
    return groups().stream().flatMap(group -> group.routes().stream()).toList();
  }

  void tend() {
    context.getBean(SessionExpiry.class).tend();
  }

  PasswordEnds passwordEnds() {
    return context.getBean(PasswordEnds.class);
  }

  AdminResource.Sessions sessions() {
    return context.getBean(AdminResource.Sessions.class);
  }

  AdminResource.Logouts waitingLogouts() {
    return context.getBean(AdminResource.Logouts.class);
  }

  TestBrowser browser() {
    return new TestBrowser(dispatch, Origin.of(java.net.URI.create(TestRealms.IDP)));
  }

  static PartnerConfig config(String entityId, NameIdFormat format) {
    PartnerConfig plain =
        TestRealms.partner(
            entityId, entityId, Map.of("uid", "uid", "displayName", "cn", "roles", "roles", "groups", "groups"));
    return new PartnerConfig(
        plain.entityId(), Optional.of(entityId.equals(APP) ? "The app" : "The wiki"), plain.metadata(), plain.release(),
        format, plain.logout(), plain.asServiceProvider(), plain.asIdentityProvider(), false);
  }

  /** Two consumer services for POST and one for the artifact binding. */
  static PartnerMetadata metadata(String entityId, boolean requestsSigned) {
    return new PartnerMetadata(
        entityId,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(
            new PartnerMetadata.SpRole(
                List.of(SamlFixtures.spKey().certificate()),
                requestsSigned,
                true,
                List.of(
                    new AssertionConsumerService(0, false, Binding.ARTIFACT, entityId + "/artifact"),
                    new AssertionConsumerService(1, true, Binding.POST, entityId + "/acs"),
                    new AssertionConsumerService(2, false, Binding.POST, entityId + "/acs2")),
                List.of(
                    new Endpoint(
                        entityId.equals(APP) ? Binding.REDIRECT : Binding.POST, entityId + "/slo", Optional.empty())),
                List.of())));
  }

  /** A request that satisfies every rule; each has an ID of its own. */
  AuthnRequest authnRequest(String issuer) {
    return new AuthnRequest(
        "_request" + ++requests, SamlMessage.VERSION, time.instant(), issuer, Optional.of(SSO),
        new AuthnRequest.Delivery(Optional.empty(), Optional.empty(), Optional.empty()), Optional.empty(),
        Optional.of(new NameIdPolicy(Optional.empty(), Optional.empty(), true)),
        new AuthnRequest.Authentication(false, false, Optional.empty(), List.of()), Optional.empty());
  }

  /** The address to which the Redirect binding sends a browser. */
  static String redirect(AuthnRequest request, Optional<String> relayState) {
    return new CanonicalSamlWriter().redirect(request, SSO, relayState, SamlFixtures.spKey()).toString();
  }

  static String redirect(AuthnRequest request) {
    return redirect(request, Optional.empty());
  }

  static Map<String, String> posted(AuthnRequest request) {
    return Map.of(
        "SAMLRequest",
        new CanonicalSamlWriter().post(request, SSO, Optional.empty(), SamlFixtures.spKey()).value(),
        "RelayState",
        "state");
  }

  /** Reads the form of the page, as the service provider does. */
  static ReceivedResponse response(EdgeReply page) {
    String html = page.text();
    if (!html.contains("SAMLResponse")) {
      throw new AssertionError("no Response: " + page + "\n" + html);
    }
    Optional<String> relayState =
        html.contains("RelayState") ? Optional.of(TestBrowser.field(html, "RelayState")) : Optional.empty();
    PostForm form =
        new PostForm(
            TestBrowser.attribute(html, "action"), "SAMLResponse", TestBrowser.field(html, "SAMLResponse"), relayState);
    return switch (new StrictSamlReader()
        .response(SamlFixtures.posted(form), SamlFixtures.partners(ownMetadata()))) {
      case Result.Accepted(var received) -> received;
      case Result.Refused(var refusal) -> throw new AssertionError(refusal.toString());
    };
  }

  static PartnerMetadata ownMetadata() {
    return new PartnerMetadata(
        ENTITY,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(
            new PartnerMetadata.IdpRole(
                List.of(SamlFixtures.idpKey().certificate()), false, List.of(), List.of(), List.of())),
        Optional.empty());
  }

  private static final class OneKey implements KeyRing {
    @Override
    public SigningKey current(KeyUse use) {
      return use.isTokens() ? TokenKeys.of(use) : SamlFixtures.idpKey();
    }

    @Override
    public List<VerificationKey> published(KeyUse use) {
      return List.of(SamlFixtures.publicHalf(current(use)));
    }

    @Override
    public List<DecryptionKey> decryption(KeyUse use) {
      return List.of(new DecryptionKey(current(use).id(), current(use).privateKey()));
    }
  }
}
