package dev.gatehouse.idp;

import dev.gatehouse.common.TestContext;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditRateLimit;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.crypto.DecryptionKey;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.crypto.VerificationKey;
import dev.gatehouse.common.db.MemorySecondFactors;
import dev.gatehouse.common.device.BoundCookies;
import dev.gatehouse.common.device.DeviceChallenges;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.PasswordChanges;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonSnapshot;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.http.PublicHttp;
import dev.gatehouse.common.jose.TestKey;
import dev.gatehouse.common.key.KeyRing;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.key.TokenKeys;
import dev.gatehouse.common.otp.KnownPeople;
import dev.gatehouse.common.otp.TokenRegister;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.page.ThymeleafPages;
import dev.gatehouse.common.passkey.MemoryPasskeys;
import dev.gatehouse.common.passkey.Passkeys;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.FixedRealms;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.Expired;
import dev.gatehouse.common.store.MemoryStores;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.throttle.Turns;
import dev.gatehouse.idp.authn.BrowserBinding;
import dev.gatehouse.idp.authn.LoginSteps;
import dev.gatehouse.idp.authn.PassedFirstFactors;
import dev.gatehouse.idp.authn.PasswordContract;
import dev.gatehouse.idp.edge.EndpointDispatcher;
import dev.gatehouse.idp.edge.Routes;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.RouteGroup;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.OAuthReplies;
import dev.gatehouse.idp.oauth.client.Clients;
import dev.gatehouse.idp.oauth.client.ClientsConfig;
import dev.gatehouse.idp.oauth.token.AccessTokenIssuer;
import dev.gatehouse.idp.oauth.token.AccessTokens;
import dev.gatehouse.idp.oauth.token.Authorizations;
import dev.gatehouse.idp.oauth.token.Codes;
import dev.gatehouse.idp.oauth.token.DeviceCodeGrant;
import dev.gatehouse.idp.oauth.token.IssuedCode;
import dev.gatehouse.idp.oauth.token.TokenConfig;
import dev.gatehouse.idp.oidc.ClientTokens;
import dev.gatehouse.idp.oidc.IdTokens;
import dev.gatehouse.idp.oidc.JwsSigner;
import dev.gatehouse.idp.oidc.JwsVerifier;
import dev.gatehouse.idp.oidc.SessionClients;
import dev.gatehouse.idp.oidc.Subjects;
import dev.gatehouse.idp.otp.OtpConfig;
import dev.gatehouse.idp.session.AuthnEvent;
import dev.gatehouse.idp.session.AuthnLevel;
import dev.gatehouse.idp.session.EndCause;
import dev.gatehouse.idp.session.EndNotices;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.IdpSessionCodec;
import dev.gatehouse.idp.session.IdpSessions;
import dev.gatehouse.idp.session.KnownDevices;
import dev.gatehouse.idp.session.SessionDevices;
import dev.gatehouse.idp.session.LoginContract;
import dev.gatehouse.idp.passkey.PasskeyConfig;
import dev.gatehouse.idp.totp.TotpConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.ResolvableType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The token endpoint and similar endpoints, with authorizations that people have already given: codes and device codes
 * are created here, not by a browser. Its client {@code web} may use everything that is not historical.
 */
final class TokenWorld {

  /** One for all tests, because each would read every text and template anew. Not that of {@link Idp}, which has a database. */
  private static final Pages PAGES = new ThymeleafPages();

  static final String ISSUER = TestRealms.IDP_ENTITY;
  static final String CALLBACK = "https://client.example.com/cb";

  /** RFC 7636, appendix B. */
  static final String VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

  static final String CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

  final TestTime time;
  final RecordingAuditLog audit = new RecordingAuditLog();
  final FakeDirectory directory = new FakeDirectory();
  final MemorySecondFactors secondFactors = new MemorySecondFactors();
  final Passkeys passkeys = new MemoryPasskeys();
  final FixedRealms realms;
  final IdpSessions sessions;
  final Authorizations authorizations;
  final SingleUseStore<IssuedCode> codeStore;
  final Codes codes;
  /** Something that nobody calls: a database takes seconds under the fuzzer, and the realm takes no tokens. */
  private static <T> T unused(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (method.getReturnType() == DataSource.class) {
                return unused(DataSource.class);
              }
              if (method.isDefault()) {
                return InvocationHandler.invokeDefault(proxy, method, arguments);
              }
              throw new UnsupportedOperationException(method.getName());
            }));
  }

  final AccessTokens accessTokens;
  final AccessTokenIssuer accessTokenIssuer;
  final Map<String, Result<Authorization, OAuthError>> devices = new HashMap<>();
  private final EndpointDispatcher dispatch;
  private final SecureRandom random = new SecureRandom();

  TokenWorld(TestClient... clients) {
    this(TestRealms.demo(), clients);
  }

  TokenWorld(Realm realm, TestClient... clients) {
    TestTime now = new TestTime(SamlFixtures.NOW);
    this(realm, now, new MemoryStores(now), SealingKey.inMemory(new SecureRandom()), clients);
  }

  TokenWorld(Realm realm, TestTime time, Stores stores, SealingKey sealing, TestClient... clients) {
    this.time = time;
    ClientConfig[] configs = List.of(clients).stream().map(TestClient::config).toArray(ClientConfig[]::new);
    this.realms = new FixedRealms(TestRealms.change(realm).clients(configs).realm());
    AnnotationConfigApplicationContext context =
        TestContext.of(
            List.of(
                ClientsConfig.class,
                TokenConfig.class,
                TotpConfig.class,
                PasskeyConfig.class,
                OtpConfig.class,
                BrowserBinding.class,
                ClientTokens.class,
                IdTokens.class,
                BoundCookies.class,
                DeviceChallenges.class,
                IdpSessions.class,
                JwsSigner.class,
                JwsVerifier.class,
                KnownDevices.class,
                LoginSteps.class,
                OAuthReplies.class,
                PassedFirstFactors.class,
                PasswordContract.class,
                SessionClients.class,
                SessionDevices.class,
                Subjects.class),
            realms,
            (KeyRings) r -> new TestKeyRing(),
            (Clients.Registered) (of, id) -> Optional.empty(),
            (Directories) r -> directory,
            (DeviceCodeGrant.Pending)
                (request, client, code) ->
                    devices.getOrDefault(code, OAuthError.refused(Code.INVALID_GRANT, "no such device code")),
            new NobodyHears(),
            stores.sessions(IdpSessions.STORE, new IdpSessionCodec(), Expired.KEPT),
            new PasswordChanges(),
            new SimpleMeterRegistry(),
            new RecordingNotices(),
            PublicHttp.of(InetAddress::isLoopbackAddress),
            new CountingThrottle(),
            stores,
            stores.replayCache(),
            sealing,
            secondFactors,
            passkeys,
            unused(Tokens.class),
            new TokenRegister(unused(Database.class)),
            new KnownPeople(unused(Database.class)),
            Turns.ALONE,
            audit,
            new RefusalLog(audit, new AuditRateLimit(time), new SimpleMeterRegistry().counter("unwritten"), random),
            time,
            random);
    context.refresh();
    this.sessions = context.getBean(IdpSessions.class);
    this.authorizations = context.getBean(Authorizations.class);
    this.codeStore = context.<SingleUseStore<IssuedCode>>getBeanProvider(ResolvableType.forClassWithGenerics(SingleUseStore.class, IssuedCode.class))
        .getObject();
    this.codes = context.getBean(Codes.class);
    this.accessTokens = context.getBean(AccessTokens.class);
    this.accessTokenIssuer = context.getBean(AccessTokenIssuer.class);
    this.dispatch =
        new EndpointDispatcher(
            realms, new Routes(List.of(context.getBean("tokenRoutes", RouteGroup.class))), PAGES, random);
  }

  private static final class NobodyHears implements EndNotices {
    @Override
    public void keep(IdpSession session, EndCause cause) {}

    @Override
    public void release(IdpSession ended, EndCause cause) {}

    @Override
    public void withdraw(IdpSession session) {}

    @Override
    public void send(IdpSession ended, EndCause cause) {}
  }

  private static final class TestKeyRing implements KeyRing {
    @Override
    public SigningKey current(KeyUse use) {
      return TokenKeys.of(use);
    }

    @Override
    public List<VerificationKey> published(KeyUse use) {
      return List.of(SamlFixtures.publicHalf(current(use)));
    }

    @Override
    public List<DecryptionKey> decryption(KeyUse use) {
      return List.of();
    }
  }

  /** An answer in JSON. */
  record Answer(EdgeReply reply, JsonNode json) {

    int status() {
      return reply.status();
    }

    String text(String name) {
      return json.path(name).asString("");
    }

    /** {@code error: description}. */
    String error() {
      return text("error") + ": " + text("error_description");
    }

    Optional<String> header(String name) {
      return reply.headers().first(name);
    }
  }

  /** A form by a client that authenticates with its secret. */
  Answer post(String path, String clientId, Map<String, String> form) {
    return send("POST", path, basic(clientId), TestBrowser.encode(form));
  }

  /** A form without authentication. */
  Answer postPublic(String path, Map<String, String> form) {
    return send("POST", path, Map.of(), TestBrowser.encode(form));
  }

  Answer token(String clientId, String... form) {
    return post("oauth/token", clientId, form(form));
  }

  Answer send(String method, String path, Map<String, String> headers, String body) {
    Headers fields = Headers.empty();
    if (!headers.containsKey("Content-Type") && method.equals("POST")) {
      fields = fields.and("Content-Type", "application/x-www-form-urlencoded");
    }
    for (Map.Entry<String, String> header : headers.entrySet()) {
      fields = fields.and(header.getKey(), header.getValue());
    }
    EdgeReply reply =
        dispatch.handle(
            new EdgeRequest(
                method,
                Origin.of(URI.create(TestRealms.IDP)),
                "/realms/demo/" + path,
                "",
                fields,
                body.getBytes(StandardCharsets.UTF_8),
                InetAddress.ofLiteral("192.0.2.7")));
    boolean isJson = reply.headers().first("Content-Type").filter("application/json"::equals).isPresent();
    JsonMapper mapper = JsonMapper.builder().build();
    return new Answer(
        reply, isJson && reply.body().length > 0 ? mapper.readTree(reply.body()) : mapper.createObjectNode());
  }

  static Map<String, String> basic(String clientId) {
    // RFC 6749, section 2.3.1.
    String credentials = URLEncoder.encode(clientId, StandardCharsets.UTF_8) + ":" + TestClient.SECRET;
    return Map.of(
        "Authorization",
        "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)));
  }

  /** Adds a DPoP proof for exactly this request. */
  Map<String, String> proved(Map<String, String> headers, TestKey key, String method, String path, String accessToken) {
    return proved(headers, key, method, path, accessToken, "");
  }

  /** @param nonce empty means none */
  Map<String, String> proved(
      Map<String, String> headers, TestKey key, String method, String path, String accessToken, String nonce) {
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("jti", UUID.randomUUID().toString());
    claims.put("htm", method);
    claims.put("htu", ISSUER + "/" + path);
    claims.put("iat", time.instant().getEpochSecond());
    if (!accessToken.isEmpty()) {
      claims.put("ath", SessionId.of(new SessionToken(accessToken)).value());
    }
    if (!nonce.isEmpty()) {
      claims.put("nonce", nonce);
    }
    Map<String, String> all = new LinkedHashMap<>(headers);
    all.put("DPoP", key.sign(JwsName.ES256, key.proofHeader(JwsName.ES256), claims));
    return all;
  }

  /** Alternating names and values. */
  static Map<String, String> form(String... pairs) {
    Map<String, String> form = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      form.put(pairs[i], pairs[i + 1]);
    }
    return form;
  }

  /** An authorization that alice has just given, outside of any session. */
  Authorization agreed(String clientId, String... scopes) {
    return agreed(clientId, Optional.empty(), List.of(), scopes);
  }

  Authorization agreed(
      String clientId, Optional<SessionId> session, List<String> resources, String... scopes) {
    return new Authorization(
        SessionToken.create(random).id(), "demo", clientId, session,
        new Authorization.Grant(Set.of(scopes), resources, Optional.empty(), Optional.of("n-0S6_WzA2Mj")),
        new Authorization.Authn(time.instant().minusSeconds(60), "urn:example:acr", List.of("pwd")),
        PersonSnapshot.of(FakeDirectory.ALICE, time.instant()), new Authorization.Tokens(Optional.empty(), Optional.empty()),
        time.instant(), time.instant().plus(Duration.ofMinutes(10)));
  }

  /** A code with PKCE and redirect URI, like nearly all codes. */
  String code(Authorization agreed) {
    return codes.issue(
        new IssuedCode(agreed, Optional.of(CALLBACK), Optional.of(CHALLENGE), Optional.empty()), Duration.ofSeconds(60));
  }

  /** The tokens for such a code. */
  Answer redeem(String clientId, String code) {
    return token(
        clientId, "grant_type", "authorization_code", "code", code, "redirect_uri", CALLBACK, "code_verifier", VERIFIER);
  }

  Answer tokens(String clientId, String... scopes) {
    Answer answer = redeem(clientId, code(agreed(clientId, scopes)));
    if (answer.status() != 200) {
      throw new AssertionError(answer.error());
    }
    return answer;
  }

  Answer refresh(String clientId, String refreshToken) {
    return token(clientId, "grant_type", "refresh_token", "refresh_token", refreshToken);
  }

  Answer introspect(String clientId, String token) {
    return post("oauth/introspect", clientId, form("token", token));
  }

  boolean isActive(String clientId, String token) {
    return introspect(clientId, token).json().path("active").asBoolean();
  }

  Answer tokenInfo(String accessToken) {
    return send("GET", "oauth/tokeninfo", Map.of("Authorization", "Bearer " + accessToken), "");
  }

  /** The id of a session of alice. */
  SessionId login() {
    return login(FakeDirectory.ALICE).id();
  }

  IdpSession login(Person person) {
    return sessions
        .open(
            request(),
            person,
            List.of(new AuthnEvent(time.instant(), LoginContract.PASSWORD, AuthnLevel.PROTECTED_PASSWORD)))
        .session();
  }

  void logout(SessionId session) {
    sessions.end(request().context(), "demo", session, EndCause.LOGOUT);
  }

  /** A second step: the session continues under another id (case 40). */
  void raise(SessionId session) {
    IdpSession before = sessions.begunAs("demo", session).orElseThrow();
    AuthnEvent second = new AuthnEvent(time.instant(), LoginContract.TOTP, AuthnLevel.SECOND_FACTOR);
    SessionId after = sessions.raise(request(), before, second).orElseThrow().session().id();
    if (after.equals(before.id())) {
      throw new AssertionError("the id is the same");
    }
  }

  RealmRequest request() {
    Realm realm = realms.find("demo").orElseThrow();
    return new RealmRequest(
        realm,
        realm.idp().orElseThrow(),
        new EdgeRequest(
            "GET",
            Origin.of(URI.create(TestRealms.IDP)),
            "/realms/demo/",
            "",
            Headers.empty(),
            new byte[0],
            InetAddress.ofLiteral("192.0.2.7")));
  }

  /** Returns whether the authorization is still valid. */
  boolean stands(Authorization authorization) {
    return authorizations.find(request(), authorization.id()).isPresent();
  }

  /** Claims of a JWT, unverified. */
  static JsonNode claims(String jwt) {
    return JsonMapper.builder().build().readTree(Base64.getUrlDecoder().decode(jwt.split("\\.")[1]));
  }
}
