package dev.gatehouse.sp;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.ClientSecretPost;
import com.nimbusds.oauth2.sdk.auth.PrivateKeyJWT;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.oauth2.sdk.pkce.CodeChallenge;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.token.BearerAccessToken;
import com.nimbusds.oauth2.sdk.util.JSONObjectUtils;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import com.nimbusds.openid.connect.sdk.SubjectType;
import com.nimbusds.openid.connect.sdk.claims.AccessTokenHash;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.sp.provider.OpenIdProviders;
import dev.gatehouse.sp.provider.ProviderState;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A strict OpenID provider built with the Nimbus SDK, on a free port of 127.0.0.1. It refuses invalid requests as the
 * specifications demand, and a test can change what it signs.
 */
public final class TestProvider implements AutoCloseable {

  public static final String CLIENT = "gatehouse";
  public static final String SECRET = "a secret: with + and %";

  /** Creating a key takes longer than a test: consecutive providers have different ones. */
  private static final List<RSAKey> KEYS = List.of(newKey(), newKey(), newKey());

  private static final AtomicInteger MADE = new AtomicInteger();

  /** The result of a login: the code's request and claims. */
  private record Issued(AuthenticationRequest request, Map<String, Object> claims) {}

  private final TestTime time;
  private final HttpServer server;
  private final URI issuer;
  private final Map<String, Issued> codes = new ConcurrentHashMap<>();
  private final Map<String, String> pushed = new ConcurrentHashMap<>();
  private final List<Map<String, String>> tokenCalls = new CopyOnWriteArrayList<>();
  private final Map<String, String> tokens = new ConcurrentHashMap<>();
  private final Map<String, Map<String, Object>> introspected = new ConcurrentHashMap<>();
  private final AtomicInteger introspections = new AtomicInteger();
  private volatile RSAKey key = KEYS.get(MADE.getAndIncrement() % KEYS.size());
  private volatile Consumer<OIDCProviderMetadata> metadataChange = metadata -> {};
  private volatile UnaryOperator<JWTClaimsSet> idTokenChange = claims -> claims;
  private volatile UnaryOperator<String> idTokenText = text -> text;
  private volatile Map<String, Object> userInfo = Map.of();
  private volatile String issuerInDocument;
  private volatile Set<String> redirectUris = Set.of(SpWorld.HOME + "/.gatehouse/oidc/callback");
  private volatile boolean down;

  public TestProvider(TestTime time) {
    this.time = time;
    try {
      this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    this.issuer = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/op");
    this.issuerInDocument = issuer.toString();
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/op/.well-known/openid-configuration", e -> answer(e, this::metadata));
    server.createContext("/op/jwks", e -> answer(e, () -> json(new JWKSet(key).toJSONObject(true))));
    server.createContext("/op/token", e -> answer(e, () -> token(e)));
    server.createContext("/op/par", e -> answer(e, () -> push(e)));
    server.createContext("/op/introspect", e -> answer(e, () -> introspect(e)));
    server.createContext("/op/userinfo", e -> answer(e, () -> userInfo(e)));
    server.start();
  }

  /** {@code accept} for a provider that a realm trusts as its own. */
  public static final Map<String, List<String>> EVERYTHING =
      Map.of(
          "preferred_username", List.of("*"),
          "realm_access.roles", List.of("*"),
          "groups", List.of("*"),
          "email", List.of("*"),
          "authnContext", List.of("*"));

  public String issuer() {
    return issuer.toString();
  }

  /** The realm's configuration for it, with a secret. */
  public ProviderConfig config() {
    return config(new ProviderConfig.Proof.SecretBasic(new dev.gatehouse.common.realm.Secret(SECRET)), false);
  }

  /** The same with a redirect URI of its own. */
  public ProviderConfig config(String alias) {
    ProviderConfig usual = config();
    ProviderConfig.Client client = usual.client().orElseThrow();
    return new ProviderConfig(
        usual.issuer(),
        usual.displayName(),
        Optional.of(new ProviderConfig.Client(client.clientId(), client.proof(), Optional.of(alias))),
        usual.scopes(),
        usual.claims(),
        usual.userInfo(),
        usual.accept());
  }

  public ProviderConfig config(ProviderConfig.Proof proof, boolean withUserInfo) {
    return new ProviderConfig(
        issuer(),
        Optional.of("Test provider"),
        Optional.of(new ProviderConfig.Client(CLIENT, proof)),
        List.of("openid", "profile"),
        new ProviderConfig.SubjectClaims("preferred_username", "realm_access.roles", "groups"),
        withUserInfo,
        EVERYTHING);
  }

  // --- behaviour set by tests ---

  public void metadata(Consumer<OIDCProviderMetadata> change) {
    metadataChange = change;
  }

  /** Registers these redirect URIs for us in place of the usual one. */
  public void redirectUris(String... registered) {
    redirectUris = Set.of(registered);
  }

  public void issuerInDocument(String other) {
    issuerInDocument = other;
  }

  /** Changes the contents of ID tokens. */
  public void idToken(UnaryOperator<JWTClaimsSet> change) {
    idTokenChange = change;
  }

  /** Replaces the ID token. */
  public void idTokenText(UnaryOperator<String> change) {
    idTokenText = change;
  }

  public void userInfo(Map<String, Object> claims) {
    userInfo = claims;
  }

  /** Sets the introspection result of this opaque token; empty means revoked. */
  public void introspection(String token, Map<String, Object> claims) {
    introspected.put(token, claims.isEmpty() ? Map.of("active", false) : claims);
  }

  public int introspections() {
    return introspections.get();
  }

  /** The claims of an access token for this API (RFC 9068, section 2.2). */
  public JWTClaimsSet.Builder accessToken(String audience) {
    return new JWTClaimsSet.Builder()
        .issuer(issuer())
        .subject("sub-of-alice")
        .audience(audience)
        .claim("client_id", "some-client")
        .claim("preferred_username", "alice")
        .claim("realm_access", Map.of("roles", List.of("employee")))
        .claim("groups", List.of("staff"))
        .claim("scope", "read write")
        .jwtID(UUID.randomUUID().toString())
        .issueTime(Date.from(time.instant()))
        .expirationTime(Date.from(time.instant().plus(Duration.ofMinutes(5))));
  }

  public void down(boolean isDown) {
    down = isDown;
  }

  public void rollKey() {
    key = newKey();
  }

  public RSAKey key() {
    return key;
  }

  /** The forms that the token endpoint received. */
  public List<Map<String, String>> tokenCalls() {
    return tokenCalls;
  }

  // --- the browser's side ---

  /** The request that a browser brings, checked as a strict provider does. */
  public AuthenticationRequest request(URI location) {
    try {
      Map<String, List<String>> query = com.nimbusds.oauth2.sdk.util.URLUtils.parseParameters(location.getRawQuery());
      String pushedAs = query.getOrDefault("request_uri", List.of("")).getFirst();
      String raw = pushedAs.isEmpty() ? location.getRawQuery() : pushed.get(pushedAs);
      if (raw == null) {
        throw new AssertionError("nothing was pushed as " + pushedAs);
      }
      AuthenticationRequest request = AuthenticationRequest.parse(URI.create(issuer + "/authorize?" + raw));
      if (!location.toString().startsWith(issuer + "/authorize?")
          || !request.getClientID().getValue().equals(CLIENT)
          || !redirectUris.contains(request.getRedirectionURI().toString())
          || !CodeChallengeMethod.S256.equals(request.getCodeChallengeMethod())
          || request.getNonce() == null
          || request.getState() == null) {
        throw new AssertionError("a request that this provider does not like: " + location);
      }
      return request;
    } catch (ParseException e) {
      throw new AssertionError("not an authentication request: " + location, e);
    }
  }

  /** Logs the user in and returns the code. */
  public String login(AuthenticationRequest request, String user) {
    Map<String, Object> claims = new HashMap<>();
    claims.put("sub", "sub-of-" + user);
    claims.put("preferred_username", user);
    claims.put("sid", "sid-of-" + user);
    claims.put("groups", List.of("staff", "chess"));
    claims.put("realm_access", Map.of("roles", List.of("employee")));
    claims.put("email", user + "@example.org");
    String code = UUID.randomUUID().toString();
    codes.put(code, new Issued(request, claims));
    return code;
  }

  /** The answer that the browser takes back. */
  public String callback(AuthenticationRequest request, String code) {
    return request.getRedirectionURI() + "?code=" + code + "&state=" + request.getState().getValue();
  }

  /** Signs with the provider's key. */
  public String sign(JWTClaimsSet claims, Optional<String> type) {
    return sign(claims, type, key);
  }

  public static String sign(JWTClaimsSet claims, Optional<String> type, RSAKey by) {
    try {
      JWSHeader.Builder header = new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(by.getKeyID());
      type.map(JOSEObjectType::new).ifPresent(header::type);
      SignedJWT jwt = new SignedJWT(header.build(), claims);
      jwt.sign(new RSASSASigner(by));
      return jwt.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A logout token as defined by Back-Channel Logout 1.0. */
  public JWTClaimsSet.Builder logoutToken() {
    return new JWTClaimsSet.Builder()
        .issuer(issuer())
        .audience(CLIENT)
        .issueTime(Date.from(time.instant()))
        .expirationTime(Date.from(time.instant().plus(Duration.ofMinutes(2))))
        .jwtID(UUID.randomUUID().toString())
        .claim("events", Map.of("http://schemas.openid.net/event/backchannel-logout", Map.of()));
  }

  public static RSAKey newKey() {
    try {
      return new RSAKeyGenerator(2048).keyID(UUID.randomUUID().toString()).generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  // --- the endpoints ---

  private record Answer(int status, String json) {}

  private interface Handler {
    Answer get() throws IOException, ParseException, JOSEException;
  }

  private void answer(HttpExchange exchange, Handler handler) throws IOException {
    Answer answer;
    try {
      answer = down ? new Answer(503, "{}") : handler.get();
    } catch (ParseException | JOSEException | RuntimeException e) {
      answer = new Answer(400, "{\"error\":\"invalid_request\"}");
    }
    byte[] body = answer.json().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(answer.status(), body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static Answer json(Map<String, ?> json) {
    return new Answer(200, StrictJson.write(json));
  }

  private Answer metadata() throws ParseException {
    OIDCProviderMetadata metadata =
        new OIDCProviderMetadata(new Issuer(issuer), List.of(SubjectType.PUBLIC), URI.create(issuer + "/jwks"));
    metadata.setAuthorizationEndpointURI(URI.create(issuer + "/authorize"));
    metadata.setTokenEndpointURI(URI.create(issuer + "/token"));
    metadata.setUserInfoEndpointURI(URI.create(issuer + "/userinfo"));
    metadata.setEndSessionEndpointURI(URI.create(issuer + "/logout"));
    metadata.setIntrospectionEndpointURI(URI.create(issuer + "/introspect"));
    metadata.setPushedAuthorizationRequestEndpointURI(URI.create(issuer + "/par"));
    metadata.applyDefaults();
    metadataChange.accept(metadata);
    Map<String, Object> json = new HashMap<>(metadata.toJSONObject());
    json.put("issuer", issuerInDocument);
    return json(json);
  }

  private static HTTPRequest form(HttpExchange exchange) throws IOException {
    HTTPRequest request = new HTTPRequest(HTTPRequest.Method.POST,
        exchange.getRequestURI().isAbsolute() ? exchange.getRequestURI() : URI.create("http://127.0.0.1" + exchange.getRequestURI()));
    exchange.getRequestHeaders().forEach((name, values) -> request.setHeader(name, values.getFirst()));
    request.setBody(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    return request;
  }

  private Answer push(HttpExchange exchange) throws IOException, ParseException {
    HTTPRequest request = form(exchange);
    if (!isClient(request)) {
      return new Answer(401, "{\"error\":\"invalid_client\"}");
    }
    String uri = "urn:ietf:params:oauth:request_uri:" + UUID.randomUUID();
    pushed.put(uri, request.getBody());
    return new Answer(201, "{\"request_uri\":\"" + uri + "\",\"expires_in\":60}");
  }

  private Answer token(HttpExchange exchange) throws IOException, ParseException {
    HTTPRequest http = form(exchange);
    Map<String, String> seen = new HashMap<>();
    http.getBodyAsFormParameters().forEach((name, values) -> seen.put(name, values.getFirst()));
    tokenCalls.add(seen);
    if (!isClient(http)) {
      return new Answer(401, "{\"error\":\"invalid_client\"}");
    }
    TokenRequest request = TokenRequest.parse(http);
    if (!(request.getAuthorizationGrant() instanceof AuthorizationCodeGrant grant)) {
      return new Answer(400, "{\"error\":\"unsupported_grant_type\"}");
    }
    Issued issued = codes.remove(grant.getAuthorizationCode().getValue());
    boolean proved =
        issued != null
            && grant.getCodeVerifier() != null
            && CodeChallenge.compute(CodeChallengeMethod.S256, grant.getCodeVerifier())
                .equals(issued.request().getCodeChallenge())
            && issued.request().getRedirectionURI().equals(grant.getRedirectionURI());
    if (issued == null || !proved) {
      return new Answer(400, "{\"error\":\"invalid_grant\"}");
    }
    BearerAccessToken accessToken = new BearerAccessToken();
    tokens.put(accessToken.getValue(), String.valueOf(issued.claims().get("sub")));
    Map<String, Object> answer = new HashMap<>();
    answer.put("access_token", accessToken.getValue());
    answer.put("token_type", "Bearer");
    answer.put("expires_in", 60);
    answer.put("id_token", idTokenText.apply(sign(idTokenChange.apply(claims(issued, accessToken)), Optional.of("JWT"))));
    return json(answer);
  }

  private JWTClaimsSet claims(Issued issued, BearerAccessToken accessToken) {
    JWTClaimsSet.Builder claims =
        new JWTClaimsSet.Builder()
            .issuer(issuer())
            .audience(CLIENT)
            .issueTime(Date.from(time.instant()))
            .expirationTime(Date.from(time.instant().plus(Duration.ofMinutes(5))))
            .claim("auth_time", time.instant().getEpochSecond())
            .claim("nonce", issued.request().getNonce().getValue())
            .claim("at_hash", AccessTokenHash.compute(accessToken, JWSAlgorithm.RS256, null).getValue());
    issued.claims().forEach(claims::claim);
    return claims.build();
  }

  private Answer introspect(HttpExchange exchange) throws IOException, ParseException {
    HTTPRequest request = form(exchange);
    introspections.incrementAndGet();
    if (!isClient(request)) {
      return new Answer(401, "{\"error\":\"invalid_client\"}");
    }
    String token = request.getBodyAsFormParameters().getOrDefault("token", List.of("")).getFirst();
    return json(introspected.getOrDefault(token, Map.of("active", false)));
  }

  private Answer userInfo(HttpExchange exchange) {
    String token = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")).replaceFirst("^Bearer ", "");
    String subject = tokens.get(token);
    if (subject == null) {
      return new Answer(401, "{\"error\":\"invalid_token\"}");
    }
    Map<String, Object> claims = new HashMap<>(Map.of("sub", subject));
    claims.putAll(userInfo);
    return json(claims);
  }

  private boolean isClient(HTTPRequest request) throws ParseException {
    return switch (com.nimbusds.oauth2.sdk.auth.ClientAuthentication.parse(request)) {
      case ClientSecretBasic basic -> isOurs(basic.getClientID().getValue(), basic.getClientSecret());
      case ClientSecretPost post -> isOurs(post.getClientID().getValue(), post.getClientSecret());
      case PrivateKeyJWT jwt -> isProof(jwt);
      case null, default -> false;
    };
  }

  private static boolean isOurs(String clientId, Secret secret) {
    return clientId.equals(CLIENT) && secret.getValue().equals(SECRET);
  }

  private boolean isProof(PrivateKeyJWT jwt) throws ParseException {
    try {
      JWTClaimsSet claims = jwt.getClientAssertion().getJWTClaimsSet();
      boolean signed =
          jwt.getClientAssertion()
              .verify(
                  new com.nimbusds.jose.crypto.RSASSAVerifier(
                      (java.security.interfaces.RSAPublicKey)
                          dev.gatehouse.common.saml.message.SamlFixtures.spKey().certificate().getPublicKey()));
      return signed
          && claims.getAudience().equals(List.of(issuer()))
          && claims.getIssuer().equals(CLIENT)
          && claims.getExpirationTime().toInstant().isAfter(time.instant());
    } catch (JOSEException | java.text.ParseException e) {
      return false;
    }
  }

  /** Waits until the world's registry knows the provider. */
  public void awaitKnown(SpWorld world) {
    awaitKnown(world.providers);
  }

  public void awaitKnown(OpenIdProviders providers) {
    Eventually.holds(() -> providers.state(issuer()) instanceof ProviderState.Usable);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
