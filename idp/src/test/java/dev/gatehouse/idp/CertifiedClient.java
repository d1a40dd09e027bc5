package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.common.jose.TestKey;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.OAuthConfig;
import dev.gatehouse.common.realm.OAuthConfig.Registration;
import dev.gatehouse.common.realm.TestRealms;
import java.net.InetAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.ParseException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A client like the OpenID Foundation's conformance suite: it registers at run time, sends people here, and believes
 * only what it has verified.
 */
final class CertifiedClient {

  static final String CALLBACK = OAuthApp.CALLBACK;
  static final String NONCE = "n-0S6_WzA2Mj";
  static final String USERINFO = "/realms/demo/oauth/userinfo";
  static final String PAR = "/realms/demo/oauth/par";
  static final String TOKEN = "/realms/demo/oauth/token";
  private static final String REGISTER = "/realms/demo/connect/register";

  /**
   * A response type and mode.
   *
   * @param mode empty means the default
   */
  record Flow(String types, String mode) {
    boolean has(String type) {
      return Set.of(types.split(" ")).contains(type);
    }
  }

  /** The result of a login, from the browser and from the token endpoint. */
  record Got(Map<String, String> front, JsonNode back) {
    String idToken() {
      return back.has("id_token") ? back.path("id_token").asString() : front.getOrDefault("id_token", "");
    }

    String accessToken() {
      return back.has("access_token") ? back.path("access_token").asString() : front.getOrDefault("access_token", "");
    }
  }

  final Idp idp;
  final JsonNode registration;

  /** If present, the client signs assertions with it. */
  Optional<TestKey> key = Optional.empty();

  /** If present, the client proves it by DPoP. */
  Optional<TestKey> proof = Optional.empty();

  /** The algorithm of the client's proofs. */
  JwsName proofAlgorithm = JwsName.ES256;

  /** Claims of its proofs that differ, by name and value. */
  Object[] proofChanges = {};

  /** The number of times that the form for name and password was shown. */
  int logins;

  private CertifiedClient(Idp idp, JsonNode registration) {
    this.idp = idp;
    this.registration = registration;
  }

  /** A provider at which anyone on this machine can register, and at which alice has data for each standard scope. */
  static Idp provider() {
    OAuthConfig usual = OAuthConfig.USUAL;
    Map<String, String> claims = new HashMap<>(usual.claims());
    claims.put("address", "postalAddress");
    Idp idp =
        new Idp(
            TestRealms.change(TestRealms.demo())
                .oauth(
                    new OAuthConfig(
                        usual.accessTokenLife(), usual.refreshTokenLife(), usual.codeLife(), usual.deviceCodeLife(),
                        usual.pushedLife(), Registration.LOOPBACK, usual.scopes(), claims, Optional.empty(), List.of()))
                .realm());
    Map<String, List<String>> attributes =
        Map.of(
            "uid", List.of("alice"),
            "displayName", List.of("Alice Liddell"),
            "mail", List.of("alice@example.com"),
            "telephoneNumber", List.of("+49 30 123"),
            "postalAddress", List.of("1 Main St$Oxford"));
    idp.directory.put(
        new Person(new PersonId("a11ce"), "alice", "uid=alice,dc=example,dc=org", attributes, List.of(), Set.of()), "demo");
    return idp;
  }

  static CertifiedClient register(Idp idp, Object... metadata) {
    EdgeReply reply = registered(idp, metadata);
    assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    return new CertifiedClient(idp, OAuthApp.json(reply));
  }

  /** The answer to a registration. */
  static EdgeReply registered(Idp idp, Object... metadata) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("redirect_uris", List.of(CALLBACK));
    for (int i = 0; i < metadata.length; i += 2) {
      all.put(String.valueOf(metadata[i]), metadata[i + 1]);
    }
    return idp.dispatch.handle(
        new EdgeRequest(
            "POST",
            Origin.of(URI.create(TestRealms.IDP)),
            REGISTER,
            "",
            Headers.of("Content-Type", "application/json"),
            StrictJson.write(all).getBytes(StandardCharsets.UTF_8),
            InetAddress.ofLiteral("127.0.0.1")));
  }

  String id() {
    return registration.path("client_id").asString();
  }

  Map<String, String> request(Flow flow, String... changes) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("client_id", id());
    all.put("response_type", flow.types());
    all.put("redirect_uri", registration.path("redirect_uris").path(0).asString());
    all.put("scope", "openid");
    all.put("state", "a state");
    all.put("nonce", NONCE);
    all.put("response_mode", flow.mode());
    for (int i = 0; i < changes.length; i += 2) {
      all.put(changes[i], changes[i + 1]);
    }
    all.values().removeIf(String::isEmpty);
    return all;
  }

  /** Follows the request up to the answer, with all steps that the person has to perform. */
  EdgeReply ask(TestBrowser browser, Flow flow, String... changes) {
    return through(browser, browser.get(OAuthApp.AUTHORIZE + "?" + TestBrowser.encode(request(flow, changes))));
  }

  EdgeReply through(TestBrowser browser, EdgeReply first) {
    EdgeReply reply = first;
    for (int step = 0; step < 9; step++) {
      String html = reply.text();
      if (reply.status() == 303) {
        if (!reply.headers().first("Location").orElse("").startsWith("/")
            && !reply.headers().first("Location").orElse("").startsWith(Idp.ENTITY)) {
          return reply;
        }
        reply = browser.follow(reply);
      } else if (html.contains("name=\"password\"")) {
        logins++;
        idp.time.advance(Duration.ofSeconds(1));
        reply = browser.login(reply, "alice", "demo");
      } else if (html.contains("name=\"answer\"")) {
        reply = OAuthApp.answer(browser, reply, "allow");
      } else {
        return reply;
      }
    }
    throw new AssertionError("no end: " + reply);
  }

  /** The parameters of the answer, in the mode of the flow. */
  static Map<String, String> answer(EdgeReply reply, Flow flow) {
    boolean isCode = flow.types().equals("code");
    if (flow.mode().equals("form_post")) {
      assertThat(reply.status()).as(reply.text()).isEqualTo(200);
      assertThat(TestBrowser.attribute(reply.text(), "action")).isEqualTo(CALLBACK);
      Map<String, String> fields = new HashMap<>();
      Matcher names = Pattern.compile("<input[^>]*\\bname=\"([^\"]+)\"").matcher(reply.text());
      while (names.find()) {
        fields.put(names.group(1), TestBrowser.field(reply.text(), names.group(1)));
      }
      return fields;
    }
    assertThat(reply.status()).as(reply.text()).isEqualTo(303);
    String location = reply.headers().first("Location").orElseThrow();
    String separator = isCode ? "?" : "#";
    assertThat(location).startsWith(CALLBACK + separator);
    Map<String, String> parameters = new HashMap<>();
    for (String pair : location.substring(location.indexOf(separator) + 1).split("&")) {
      String[] two = pair.split("=", 2);
      parameters.put(two[0], URLDecoder.decode(two[1], StandardCharsets.UTF_8));
    }
    return parameters;
  }

  Got logIn(TestBrowser browser, Flow flow, String... changes) {
    Map<String, String> front = answer(ask(browser, flow, changes), flow);
    assertThat(front).as("%s", front).doesNotContainKey("error");
    return new Got(
        front,
        flow.has("code") ? OAuthApp.json(exchange(Objects.requireNonNull(front.get("code")))) : JsonNodeFactory.instance.objectNode());
  }

  EdgeReply exchange(String code, String... changes) {
    Map<String, String> form = new LinkedHashMap<>();
    form.put("grant_type", "authorization_code");
    form.put("code", code);
    form.put("redirect_uri", registration.path("redirect_uris").path(0).asString());
    for (int i = 0; i < changes.length; i += 2) {
      form.put(changes[i], changes[i + 1]);
    }
    form.values().removeIf(String::isEmpty);
    return call(TOKEN, form);
  }

  /** A call from its own server, with its own credentials. */
  EdgeReply call(String path, Map<String, String> sent) {
    Map<String, String> form = new LinkedHashMap<>(sent);
    Map<String, String> headers = new HashMap<>();
    String secret = registration.path("client_secret").asString("");
    switch (registration.path("token_endpoint_auth_method").asString()) {
      case "client_secret_basic" -> headers.put("Authorization", "Basic " + base64(id() + ":" + secret));
      case "client_secret_post" -> {
        form.put("client_id", id());
        form.put("client_secret", secret);
      }
      case "private_key_jwt" -> {
        form.putIfAbsent("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
        form.computeIfAbsent("client_assertion", name -> assertion());
      }
      default -> form.put("client_id", id());
    }
    proof.ifPresent(signer -> headers.put("DPoP", proof(signer, "POST", path, proofChanges)));
    TestBrowser server = idp.browser();
    server.headers = headers;
    return server.post(path, form);
  }

  String assertion(Object... changes) {
    return key.orElseThrow().sign(JwsName.ES256, assertionClaims(changes));
  }

  /** The claims of a valid assertion, changed by name and value; an empty value removes the name. */
  Map<String, Object> assertionClaims(Object... changes) {
    long now = idp.time.instant().getEpochSecond();
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("iss", id());
    claims.put("sub", id());
    claims.put("aud", Idp.ENTITY);
    claims.put("iat", now);
    claims.put("exp", now + 60);
    claims.put("jti", UUID.randomUUID().toString());
    for (int i = 0; i < changes.length; i += 2) {
      claims.put(String.valueOf(changes[i]), changes[i + 1]);
    }
    claims.values().removeIf(""::equals);
    return claims;
  }

  String proof(TestKey signer, String method, String path, Object... changes) {
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("jti", UUID.randomUUID().toString());
    claims.put("htm", method);
    claims.put("htu", TestRealms.IDP + path);
    claims.put("iat", idp.time.instant().getEpochSecond());
    for (int i = 0; i < changes.length; i += 2) {
      claims.put(String.valueOf(changes[i]), changes[i + 1]);
    }
    return signer.sign(proofAlgorithm, signer.proofHeader(proofAlgorithm), claims);
  }

  /** The UserInfo response for the token. */
  EdgeReply userInfo(String accessToken) {
    TestBrowser server = idp.browser();
    server.headers = Map.of("Authorization", "Bearer " + accessToken);
    return server.get(USERINFO);
  }

  /** Claims of a JWT that a published key of the provider has signed for this client. */
  JsonNode verified(String jwt) {
    try {
      JWSObject token = JWSObject.parse(jwt);
      JWK signer =
          JWKSet.parse(idp.browser().get("/realms/demo/oauth/jwks").text()).getKeyByKeyId(token.getHeader().getKeyID());
      assertThat(
              token.verify(
                  new DefaultJWSVerifierFactory()
                      .createJWSVerifier(token.getHeader(), ((AsymmetricJWK) signer).toPublicKey())))
          .isTrue();
      JsonNode claims = OAuthApp.claims(jwt);
      assertThat(claims.path("iss").asString()).isEqualTo(Idp.ENTITY);
      assertThat(claims.path("aud").asString()).isEqualTo(id());
      return claims;
    } catch (ParseException | JOSEException e) {
      throw new AssertionError(jwt, e);
    }
  }

  /** {@code at_hash} and {@code c_hash} by SHA-256 (OpenID Connect Core 3.3.2.11). */
  static String half(String value) {
    return hash(value, 16);
  }

  /** {@code ath} of a DPoP proof (RFC 9449, section 4.2). */
  static String whole(String value) {
    return hash(value, 32);
  }

  private static String hash(String value, int bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(value.getBytes(StandardCharsets.US_ASCII));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest, bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  static String base64(String text) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
