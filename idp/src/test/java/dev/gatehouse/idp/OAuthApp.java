package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.realm.ClientAuthentication;
import dev.gatehouse.common.realm.ClientAuthentication.ClientSecret;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.ClientConfig.About;
import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.common.realm.ClientConfig.Keys;
import dev.gatehouse.common.realm.ClientConfig.Logout;
import dev.gatehouse.common.realm.ClientConfig.Requests;
import dev.gatehouse.common.realm.ClientConfig.SubjectType;
import dev.gatehouse.common.realm.ClientConfig.Tokens;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.realm.TestRealms;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An app at our authorization server: its registration, its requests, and its reading of the answers. */
final class OAuthApp {

  static final String ID = "app";
  static final String SECRET = "the app's own secret";
  static final String CALLBACK = "https://app.example/callback";
  static final String AUTHORIZE = "/realms/demo/oauth/authorize";

  /** RFC 7636, appendix B. */
  static final String VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

  static final String CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

  String id = ID;
  Set<Method> methods = Set.of(Method.SECRET_BASIC, Method.SECRET_POST);
  Set<GrantType> grants = Set.of(GrantType.CODE, GrantType.REFRESH, GrantType.DEVICE);
  List<String> redirectUris = List.of(CALLBACK);
  Set<String> scopes = Set.of("openid", "profile", "email", "offline_access", "read");
  List<String> resources = List.of("https://api.example");
  boolean consent;
  Optional<String> contract = Optional.empty();
  boolean pkce = true;
  boolean pushed;
  boolean signed;
  Optional<Duration> defaultMaxAge = Optional.empty();
  List<String> defaultAcrValues = List.of();
  Tokens tokens = Tokens.USUAL;
  Optional<Keys> keys = Optional.empty();
  SubjectType subject = new SubjectType.Public();
  Logout logout = Logout.NONE;

  ClientConfig config() {
    boolean hasSecret = methods.stream().anyMatch(Method::needsSecret);
    return new ClientConfig(
        id, Optional.of("The <b>app</b>"),
        new ClientAuthentication(
            methods,
            hasSecret ? Optional.of(new ClientSecret.Configured(new Secret(SECRET))) : Optional.empty(),
            Optional.empty()),
        new ClientConfig.Permissions(grants, redirectUris, scopes, resources),
        new ClientConfig.Login(subject, consent, contract),
        new Requests(
            pkce, pushed, signed, List.of(), Optional.empty(), Optional.empty(), defaultMaxAge, false,
            defaultAcrValues),
        tokens, keys, logout, About.NOTHING);
  }

  static Realm realm(OAuthApp... apps) {
    return realm(TestRealms.demo(), apps);
  }

  static Realm realm(Realm base, OAuthApp... apps) {
    ClientConfig[] configs = List.of(apps).stream().map(OAuthApp::config).toArray(ClientConfig[]::new);
    return TestRealms.change(base).clients(configs).realm();
  }

  /** A request that satisfies every rule, changed by name and value; an empty value removes the name. */
  Map<String, String> request(String... changes) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("client_id", id);
    all.put("response_type", "code");
    all.put("redirect_uri", redirectUris.getFirst());
    all.put("scope", "openid profile");
    all.put("state", "st&te=1 <b>");
    all.put("nonce", "n-0S6_WzA2Mj");
    all.put("code_challenge", CHALLENGE);
    all.put("code_challenge_method", "S256");
    for (int i = 0; i < changes.length; i += 2) {
      if (changes[i + 1].isEmpty()) {
        all.remove(changes[i]);
      } else {
        all.put(changes[i], changes[i + 1]);
      }
    }
    return all;
  }

  EdgeReply ask(TestBrowser browser, String... changes) {
    return browser.get(AUTHORIZE + "?" + TestBrowser.encode(request(changes)));
  }

  /** The parameters in the query of the redirect URI. */
  static Parameters query(EdgeReply reply) {
    return after(reply, CALLBACK + "?");
  }

  /** The parameters in the fragment of the redirect URI. */
  static Parameters fragment(EdgeReply reply) {
    return after(reply, CALLBACK + "#");
  }

  private static Parameters after(EdgeReply reply, String start) {
    assertThat(reply.status()).as(reply.text()).isEqualTo(303);
    String location = reply.headers().first("Location").orElseThrow();
    assertThat(location).startsWith(start);
    return Parameters.parse(location.substring(start.length()));
  }

  /** {@code error: description} of the query. */
  static String error(EdgeReply reply) {
    Parameters query = query(reply);
    return query.one("error").orElse("none") + ": " + query.one("error_description").orElse("");
  }

  static String code(EdgeReply reply) {
    return query(reply).one("code").orElseThrow(() -> new AssertionError(reply.headers().first("Location").orElse("")));
  }

  /** Exchanges a code as a server does: without cookies. */
  JsonNode exchange(Idp idp, String code, String... changes) {
    Map<String, String> form = new LinkedHashMap<>();
    form.put("grant_type", "authorization_code");
    form.put("code", code);
    form.put("redirect_uri", redirectUris.getFirst());
    form.put("code_verifier", VERIFIER);
    for (int i = 0; i < changes.length; i += 2) {
      form.put(changes[i], changes[i + 1]);
    }
    return json(server(idp).post("/realms/demo/oauth/token", form));
  }

  /** The app's own server, which authenticates by HTTP Basic. */
  TestBrowser server(Idp idp) {
    TestBrowser server = idp.browser();
    server.headers =
        methods.contains(Method.NONE)
            ? Map.of()
            : Map.of(
                "Authorization",
                "Basic "
                    + Base64.getEncoder()
                        .encodeToString((id + ":" + SECRET.replace(" ", "+").replace("'", "%27")).getBytes(StandardCharsets.UTF_8)));
    return server;
  }

  static JsonNode json(EdgeReply reply) {
    return JsonMapper.shared().readTree(reply.body());
  }

  /** The claims of a JWT that was read over a trusted channel. */
  static JsonNode claims(String jwt) {
    return JsonMapper.shared().readTree(Base64.getUrlDecoder().decode(jwt.split("\\.")[1]));
  }

  /** Logs a person in. */
  static TestBrowser signedIn(Idp idp, String name) {
    TestBrowser browser = idp.browser();
    browser.login(browser.get("/realms/demo/login"), name, "demo");
    return browser;
  }

  /** Answers the question for consent or for a device. */
  static EdgeReply answer(TestBrowser browser, EdgeReply question, String answer) {
    String html = question.text();
    return browser.post(
        TestBrowser.attribute(html, "action"), Map.of("csrf", TestBrowser.field(html, "csrf"), "answer", answer));
  }
}
