package dev.gatehouse.idp.oauth.proof;

import static dev.gatehouse.idp.oauth.client.TestClients.passed;
import static dev.gatehouse.idp.oauth.client.TestClients.post;
import static dev.gatehouse.idp.oauth.client.TestClients.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.http.PublicHttp;
import dev.gatehouse.common.jose.TestKey;
import dev.gatehouse.common.realm.ClientAuthentication;
import dev.gatehouse.common.realm.ClientAuthentication.ClientSecret;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.ClientConfig.Keys;
import dev.gatehouse.common.realm.ClientConfig.Requests;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.oauth.FailingServer;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.client.ClientSignatures;
import dev.gatehouse.idp.oauth.client.TestClients;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ApplicationContext;

/** SECURITY-CASES 31; RFC 9101. */
class RequestObjectTest {

  private static final TestKey KEY = TestKey.p256("ec");
  private static final String OBJECT = "invalid_request_object: request object: ";

  private final TestTime time = new TestTime();
  private final ApplicationContext services = TestClients.services(time);
  private final RequestObjects objects = new RequestObjects(services.getBean(ClientSignatures.class), services.getBean(PublicHttp.class), time);
  private final Realm realm = TestRealms.demo();

  private static Client app(boolean signed, Optional<JwsName> algorithm, URI... requestUris) {
    ClientConfig config =
        TestClients.client(
            "app",
            new ClientAuthentication(
                Set.of(Method.SECRET_BASIC),
                Optional.of(new ClientSecret.Configured(new Secret(TestClients.SECRET))),
                Optional.empty()),
            Optional.of(new Keys.Jwks(KEY.jwks())),
            new Requests(
                true, false, signed, List.of(requestUris), algorithm, Optional.empty(), Optional.empty(), false, List.of()));
    return new Client(config, false);
  }

  private static final Client APP = app(false, Optional.empty());

  private Map<String, Object> claims() {
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("iss", "app");
    claims.put("aud", TestRealms.IDP_ENTITY);
    claims.put("client_id", "app");
    claims.put("response_type", "code");
    claims.put("redirect_uri", "https://app.example/callback");
    return claims;
  }

  private Result<Parameters, OAuthError> ask(Client client, String query) {
    return objects.parameters(post(realm, "oauth/authorize", Headers.empty()), client, Parameters.parse(query));
  }

  private Result<Parameters, OAuthError> ask(Client client, Map<String, Object> claims) {
    return ask(client, "client_id=app&request=" + KEY.sign(JwsName.ES256, claims));
  }

  private String refusedWith(String name, Object value) {
    Map<String, Object> claims = claims();
    claims.put(name, value);
    return refusal(ask(APP, claims));
  }

  @Test
  void theParametersOfTheObjectAloneCount() {
    Map<String, Object> claims = claims();
    claims.put("max_age", 60);
    claims.put("claims", Map.of("userinfo", Map.of("email", Map.of("essential", true))));
    claims.put("resource", List.of("https://a.example", "https://b.example"));
    claims.put("state", "a&b=c%");
    Parameters read =
        passed(ask(APP, "client_id=app&scope=admin&state=other&nonce=n&request=" + KEY.sign(JwsName.ES256, claims)));
    assertThat(read.one("scope")).isEmpty();
    assertThat(read.one("nonce")).isEmpty();
    assertThat(read.one("state")).contains("a&b=c%");
    assertThat(read.one("max_age")).contains("60");
    assertThat(read.one("claims")).contains("{\"userinfo\":{\"email\":{\"essential\":true}}}");
    assertThat(read.all()).filteredOn(p -> p.name().equals("resource")).extracting(Parameters.Parameter::value)
        .containsExactly("https://a.example", "https://b.example");
    assertThat(read.one("iss")).isEmpty();
  }

  @Test
  void withoutOneThoseSentCount() {
    assertThat(passed(ask(APP, "client_id=app&state=s")).one("state")).contains("s");
    assertThat(refusal(ask(app(true, Optional.empty()), "client_id=app")))
        .isEqualTo("invalid_request: the client must send its requests in signed request objects: request is missing");
    assertThat(refusal(ask(APP, "request=a&request_uri=b")))
        .isEqualTo("invalid_request: request and request_uri exclude each other");
  }

  @Test
  void isSignedByTheClient() {
    assertThat(refusal(ask(APP, "request=" + TestKey.p256("ec").sign(JwsName.ES256, claims()))))
        .isEqualTo(OBJECT + "its signature is not the client's");
    String[] parts = KEY.sign(JwsName.ES256, Map.of("alg", "none"), claims()).split("\\.");
    assertThat(refusal(ask(APP, "request=" + parts[0] + "." + parts[1] + ".")))
        .isEqualTo(OBJECT + "the algorithm of the JWT is not one of ours");
    String hmac = TestKey.hmac(TestClients.SECRET.getBytes(StandardCharsets.UTF_8), Map.of("alg", "HS256"), claims());
    assertThat(passed(ask(APP, "request=" + hmac)).one("response_type")).contains("code");
    assertThat(refusal(ask(app(false, Optional.of(JwsName.ES256)), "request=" + hmac)))
        .isEqualTo(OBJECT + "its algorithm is not the one that the client is registered for");
    String confused = TestKey.hmac(KEY.pair().getPublic().getEncoded(), Map.of("alg", "HS256"), claims());
    assertThat(refusal(ask(APP, "request=" + confused))).isEqualTo(OBJECT + "its signature is not the client's");
  }

  @Test
  void isOfTheClientAndForUs() {
    assertThat(refusedWith("iss", "other")).isEqualTo(OBJECT + "its issuer is not the client");
    assertThat(refusedWith("aud", "https://other.example")).isEqualTo(OBJECT + "its audience is not this issuer");
    assertThat(refusedWith("client_id", "other")).isEqualTo(OBJECT + "its client_id is not the client's");
    assertThat(refusedWith("sub", "app")).isEqualTo(OBJECT + "its subject is the client");
    assertThat(refusedWith("request", "x")).isEqualTo(OBJECT + "it holds request or request_uri");
    assertThat(refusedWith("request_uri", "x")).isEqualTo(OBJECT + "it holds request or request_uri");
    Map<String, Object> several = claims();
    several.put("aud", List.of("https://other.example", TestRealms.IDP_ENTITY));
    passed(ask(APP, several));
  }

  @ParameterizedTest
  @ValueSource(strings = {"dpop+jwt", "client-authentication+jwt", "at+jwt"})
  void jwtsOfOtherTypesAreNone(String type) {
    assertThat(refusal(ask(APP, "request=" + KEY.sign(JwsName.ES256, Map.of("alg", "ES256", "typ", type), claims()))))
        .isEqualTo(OBJECT + "it is a JWT of another type");
  }

  @Test
  void expires() {
    long now = time.instant().getEpochSecond();
    assertThat(refusedWith("exp", now - 61)).isEqualTo(OBJECT + "it has expired");
    assertThat(refusedWith("nbf", now + 61)).isEqualTo(OBJECT + "it is not valid yet");
    String unbounded = OBJECT + "its nbf and exp are not there, or more than an hour apart";
    Client strict = app(true, Optional.empty());
    assertThat(refusal(ask(strict, claims()))).isEqualTo(unbounded);
    Map<String, Object> claims = claims();
    claims.put("nbf", now);
    claims.put("exp", now + 3601);
    assertThat(refusal(ask(strict, claims))).isEqualTo(unbounded);
    claims.put("exp", now + 3600);
    passed(ask(strict, claims));
    claims.put("nbf", now - 4000);
    claims.put("exp", now - 4000 + 3600 + 1000);
    assertThat(refusal(ask(strict, claims))).as("made long ago").isEqualTo(unbounded);
  }

  @Test
  void byReferenceOnlyFromWhereTheClientRegistered() throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body = KEY.sign(JwsName.ES256, claims()).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(exchange.getRequestURI().getPath().equals("/object") ? 200 : 404, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    try {
      String base = "http://127.0.0.1:" + server.getAddress().getPort();
      Client client = app(false, Optional.empty(), URI.create(base + "/object"), URI.create(base + "/gone"));
      assertThat(passed(ask(client, "request_uri=" + encoded(base + "/object"))).one("response_type")).contains("code");
      assertThat(passed(ask(client, "request_uri=" + encoded(base + "/object#<hash>"))).one("response_type")).contains("code");
      assertThat(refusal(ask(client, "request_uri=" + encoded(base + "/gone"))))
          .isEqualTo("invalid_request_uri: request_uri could not be fetched: it answered with status 404");
      for (String other : List.of(base + "/object?x=1", base + "/object/../object", base + "/OBJECT", "http://169.254.169.254/", "urn:x")) {
        assertThat(refusal(ask(client, "request_uri=" + encoded(other))))
            .as(other)
            .isEqualTo("invalid_request_uri: request_uri is not one that the client registered");
      }
      Client inside = app(false, Optional.empty(), URI.create("https://10.0.0.1/object"));
      assertThat(refusal(ask(inside, "request_uri=" + encoded("https://10.0.0.1/object"))))
          .isEqualTo("invalid_request_uri: request_uri could not be fetched: its address is not one that may be called: not public, or not https");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void theCauseOfAFailedFetchIsNamed() throws Exception {
    try (FailingServer failing = new FailingServer()) {
      failing
          .causes()
          .forEach(
              (uri, cause) -> {
                Client client = app(false, Optional.empty(), URI.create(uri));
                assertThat(refusal(ask(client, "request_uri=" + encoded(uri))))
                    .isEqualTo("invalid_request_uri: request_uri could not be fetched: " + cause);
              });
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
