package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.Role;
import dev.gatehouse.common.realm.ClientConfig.Logout;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.space.GuardedStores;
import dev.gatehouse.common.store.MemoryStores;
import dev.gatehouse.idp.edge.IdpListeners;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Little disk space left, over real HTTP: new logins are refused with the true reason, but logouts and revocations still work. */
class LowSpaceEdgeTest {

  private static final String RETURN = "https://app.example/signed-out";

  private final AtomicBoolean low = new AtomicBoolean();
  private final OAuthApp app = new OAuthApp();
  private final Idp idp = idp();
  private final GenericApplicationContext parent = new GenericApplicationContext();
  private final HttpClient client = HttpClient.newHttpClient();

  @TempDir private Path folder;

  private ConfigurableApplicationContext server = parent;
  private int port;

  private Idp idp() {
    app.logout = new Logout(List.of(RETURN), Optional.empty(), true, Optional.empty(), true);
    TestTime time = new TestTime(SamlFixtures.NOW);
    return new Idp(
        time,
        new GuardedStores(new MemoryStores(time), low::get),
        SealingKey.inMemory(new SecureRandom()),
        OAuthApp.realm(TestRealms.change(TestRealms.demo()).idpUrl("http://127.0.0.1:8080").realm(), app));
  }

  @BeforeEach
  void start() {
    InetSocketAddress free = new InetSocketAddress("127.0.0.1", 0);
    Node.Listener listener = new Node.Listener(free, Optional.empty());
    Node node =
        new Node(
            Set.of(Role.IDP),
            new Node.Listeners(List.of(listener), List.of(), listener, Optional.empty(), Optional.empty()),
            Node.Storage.VOLATILE, folder, List.of(), new Node.AuditConfig(folder, 1_000_000, Duration.ofDays(1)), 0, List.of());
    parent.registerBean(Node.class, () -> node);
    parent.setParent(idp.context);
    parent.refresh();
    server =
        new SpringApplicationBuilder(IdpApplication.class)
            .parent(parent)
            .web(WebApplicationType.SERVLET)
            .bannerMode(org.springframework.boot.Banner.Mode.OFF)
            .run();
    port = server.getBean(IdpListeners.class).ports().getFirst();
  }

  @AfterEach
  void stop() {
    server.close();
    parent.close();
    client.close();
  }

  /** Follows no redirects and keeps cookies. */
  private final class Person {
    private final Map<String, String> cookies = new LinkedHashMap<>();

    HttpResponse<String> get(String path) throws Exception {
      return send(request(path).header("Accept", "text/html").GET());
    }

    HttpResponse<String> post(String path, Map<String, String> form) throws Exception {
      return send(
          request(path)
              .header("Accept", "text/html")
              .header("Origin", "http://127.0.0.1:" + port)
              .header("Content-Type", "application/x-www-form-urlencoded")
              .POST(HttpRequest.BodyPublishers.ofString(TestBrowser.encode(form))));
    }

    HttpResponse<String> login() throws Exception {
      HttpResponse<String> form = get("/realms/demo/login");
      Matcher csrf = Pattern.compile("name=\"csrf\" value=\"([^\"]+)\"").matcher(form.body());
      assertThat(csrf.find()).isTrue();
      return post("/realms/demo/login", Map.of("username", "alice", "password", "demo", "csrf", csrf.group(1)));
    }

    boolean isSignedIn() throws Exception {
      return get("/realms/demo/account").statusCode() == 200;
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
      if (!cookies.isEmpty()) {
        request.header(
            "Cookie",
            cookies.entrySet().stream().map(c -> c.getKey() + "=" + c.getValue()).collect(Collectors.joining("; ")));
      }
      HttpResponse<String> reply = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      for (String set : reply.headers().allValues("Set-Cookie")) {
        String[] pair = set.split(";", 2)[0].split("=", 2);
        if (set.contains("Max-Age=0")) {
          cookies.remove(pair[0]);
        } else {
          cookies.put(pair[0], pair[1]);
        }
      }
      return reply;
    }
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).timeout(Duration.ofSeconds(60));
  }

  private HttpResponse<String> byTheAppsServer(String path, Map<String, String> form) throws Exception {
    return client.send(
        request(path)
            .header("Authorization", Objects.requireNonNull(app.server(idp).headers.get("Authorization")))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(TestBrowser.encode(form)))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private int userInfo(String token) throws Exception {
    return client.send(
            request("/realms/demo/oauth/userinfo").header("Authorization", "Bearer " + token).GET().build(),
            HttpResponse.BodyHandlers.ofString())
        .statusCode();
  }

  private HttpResponse<String> authorize(Person person) throws Exception {
    return person.get(OAuthApp.AUTHORIZE + "?" + TestBrowser.encode(app.request("scope", "openid offline_access profile")));
  }

  private static String code(HttpResponse<String> reply) {
    Matcher code = Pattern.compile("[?&]code=([^&]+)").matcher(reply.headers().firstValue("Location").orElse(""));
    assertThat(code.find()).as(reply.statusCode() + " " + reply.headers().map()).isTrue();
    return code.group(1);
  }

  private JsonNode tokens(String code) throws Exception {
    HttpResponse<String> reply =
        byTheAppsServer(
            "/realms/demo/oauth/token",
            Map.of("grant_type", "authorization_code", "code", code, "redirect_uri", OAuthApp.CALLBACK, "code_verifier", OAuthApp.VERIFIER));
    assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
    return JsonMapper.shared().readTree(reply.body());
  }

  @Test
  void aNewLoginIsRefusedTruthfullyAndWhatEndsSomethingWorks() throws Exception {
    Person alice = new Person();
    assertThat(alice.login().statusCode()).isEqualTo(303);
    JsonNode tokens = tokens(code(authorize(alice)));
    String access = tokens.path("access_token").asString();
    assertThat(userInfo(access)).isEqualTo(200);

    low.set(true);

    Person stranger = new Person();
    HttpResponse<String> refused = stranger.login();
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.headers().firstValue("Retry-After")).contains("10");
    assertThat(refused.headers().firstValue("Cache-Control")).contains("no-store");
    assertThat(refused.body())
        .contains("no space left", "can log out", "Reference")
        .doesNotContain("Exception", "\tat ", "StoreUnavailable", "do not match");
    assertThat(stranger.isSignedIn()).isFalse();
    HttpResponse<String> noCode = authorize(alice);
    assertThat(noCode.headers().firstValue("Location").orElse("")).doesNotContain("code=");

    assertThat(alice.isSignedIn()).as("who is logged in stays so").isTrue();
    assertThat(userInfo(access)).isEqualTo(200);
    for (String kind : List.of("access_token", "refresh_token")) {
      String token = tokens.path(kind).asString();
      if (!token.isEmpty()) {
        HttpResponse<String> revoked = byTheAppsServer("/realms/demo/oauth/revoke", Map.of("token", token));
        assertThat(revoked.statusCode()).as(kind + " " + revoked.body()).isEqualTo(200);
      }
    }
    assertThat(userInfo(access)).as("revoked").isEqualTo(401);
    HttpResponse<String> out =
        alice.get(
            "/realms/demo/oauth/logout?post_logout_redirect_uri=" + URLEncoder.encode(RETURN, StandardCharsets.UTF_8)
                + "&id_token_hint=" + tokens.path("id_token").asString());
    assertThat(out.statusCode()).as(out.body()).isEqualTo(303);
    assertThat(alice.isSignedIn()).as("logged out").isFalse();

    low.set(false);

    assertThat(stranger.login().statusCode()).isEqualTo(303);
    assertThat(stranger.isSignedIn()).isTrue();
  }

  /** A refused attempt does not count as a wrong password: when there is space again, nobody is locked out. */
  @Test
  void refusedLoginsAreNoWrongPasswords() throws Exception {
    low.set(true);
    Person alice = new Person();
    for (int i = 0; i < 20; i++) {
      assertThat(alice.login().statusCode()).isEqualTo(503);
    }
    low.set(false);
    assertThat(alice.login().statusCode()).isEqualTo(303);
  }
}
