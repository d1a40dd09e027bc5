package dev.gatehouse.gateway.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.Cookie;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.SignedJWT;
import dev.gatehouse.common.FreePorts;
import dev.gatehouse.gateway.browser.Chromium;
import dev.gatehouse.gateway.browser.Person;
import dev.gatehouse.gateway.browser.WithChromium;
import dev.gatehouse.gateway.demo.DemoDirectory;
import dev.gatehouse.gateway.demo.SampleApp;
import dev.gatehouse.gateway.process.BuiltNode;
import dev.gatehouse.gateway.process.Servers;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * nginx ({@code auth_request}), HAProxy (a script in Lua) and Caddy ({@code forward_auth}) serve an app and ask our gateway who may pass;
 * nginx as the origin of files behind it.
 */
@ExtendWith(WithChromium.class)
class ForwardAuthIT {

  private static final List<Integer> PORTS = FreePorts.take(3);
  private static final int PORT = PORTS.getFirst();
  private static final String NGINX = "http://127.0.0.41:" + PORT;
  private static final String HAPROXY = "http://127.0.0.42:" + PORT;
  private static final String CADDY = "http://127.0.0.45:" + PORT;
  private static final String DIRECT = "http://127.0.0.43:" + PORT;

  @AutoClose private static final Servers SERVERS = new Servers();
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private static boolean caddy;

  private final Chromium chromium;

  ForwardAuthIT(Chromium chromium) {
    this.chromium = chromium;
  }

  @BeforeAll
  static void start(@TempDir Path data) throws Exception {
    Nginx.requireInstalled();
    Haproxy.requireInstalled();
    caddy = Caddy.isInstalled();
    Path logs = Files.createDirectories(Path.of("target/foreign"));
    SERVERS.all(
        () -> {
          DemoDirectory directory = SERVERS.begun(DemoDirectory.start(0));
          SampleApp app = SERVERS.begun(SampleApp.start(0));
          SERVERS.begun(Nginx.start(logs, "127.0.0.41", "127.0.0.44", PORT, app.port(), PORTS.get(2)));
          SERVERS.begun(Haproxy.start(logs, "127.0.0.42", "127.0.0.44", PORT, app.port()));
          if (caddy) {
            SERVERS.begun(Caddy.start(logs, "127.0.0.45", "127.0.0.44", PORT, app.port()));
          }
          Map<String, String> environment =
              Map.of(
                  "DATA", data.toString(),
                  "PORT", String.valueOf(PORT),
                  "ADMIN_PORT", String.valueOf(PORTS.get(1)),
                  "STATIC_PORT", String.valueOf(PORTS.get(2)),
                  "DIRECTORY_PORT", String.valueOf(directory.port()));
          SERVERS.begun(BuiltNode.run(Path.of("src/test/resources/foreign"), logs, environment));
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {NGINX_NAME, HAPROXY_NAME, CADDY_NAME})
  void aPersonLogsInSeesWhatTheyMayAndLogsOut(String proxy) {
    String base = base(proxy);
    try (Person person = new Person(chromium.profile())) {
      person.open(base + "/");
      person.signIn("alice", "demo");
      person.isAt(base + "/");
      person.sees("Hello, alice");
      assertThat(person.open(base + "/manager/").status()).isEqualTo(403);
      assertThat(person.open(base + "/public/").status()).isEqualTo(200);
      person.open(base + "/");
      person.press("Log out");
      person.sees("You are signed out");
      person.open(base + "/");
      person.sees("Sign in");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {NGINX_NAME, HAPROXY_NAME, CADDY_NAME})
  void theAppIsToldByUsAloneWhoIsThere(String proxy) throws Exception {
    String base = base(proxy);
    try (Person person = new Person(chromium.profile())) {
      person.open(base + "/");
      person.signIn("bob", "demo");
      person.isAt(base + "/");
      assertThat(person.open(base + "/manager/").status()).isEqualTo(200);
      Cookie cookie = person.cookie(base + "/", "gh_app").orElseThrow();
      JsonNode headers =
          JsonMapper.shared()
              .readTree(
                  get(base + "/echo", "Cookie", "gh_app=" + cookie.value, "Remote-User", "forged", "Remote-Name", "forged",
                          "X-Identity-Token", "forged", "Remote_User", "forged")
                      .body())
              .get("headers");
      assertThat(headers.get("Remote-User").asString()).isEqualTo("bob");
      assertThat(headers.get("Remote-Email").asString()).isEqualTo("bob@example.org");
      assertThat(headers.get("Remote-Roles").asString()).contains("manager");
      SignedJWT token = SignedJWT.parse(headers.get("X-Identity-Token").asString());
      JWKSet keys = JWKSet.parse(get(NGINX + "/.gatehouse/jwks").body());
      assertThat(token.verify(new ECDSAVerifier(keys.getKeyByKeyId(token.getHeader().getKeyID()).toECKey()))).isTrue();
      assertThat(token.getJWTClaimsSet().getSubject()).isEqualTo("bob");
      assertThat(token.getJWTClaimsSet().getIssuer()).isEqualTo(NGINX);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {NGINX_NAME, HAPROXY_NAME, CADDY_NAME})
  void whoIsNobodyIsTreatedAsTheyCome(String proxy) throws Exception {
    String base = base(proxy);
    assertThat(get(base + "/echo", "Accept", "application/json").statusCode()).isEqualTo(401);
    HttpResponse<String> page = get(base + "/page?a=b&c", "Accept", "text/html");
    assertThat(page.statusCode()).isEqualTo(302);
    assertThat(page.headers().firstValue("Location").orElseThrow()).startsWith(base + "/.gatehouse/login?return=");
    HttpResponse<String> open = get(base + "/public/", "Remote-User", "forged");
    assertThat(open.statusCode()).isEqualTo(200);
    assertThat(open.body()).doesNotContain("forged");
    assertThat(get(base + "/public/../echo", "Remote-User", "forged").statusCode()).isIn(400, 403);
    assertThat(get(base + "/.gatehouse/forward-auth/nginx", "X-Original-Method", "GET").statusCode()).isEqualTo(404);
  }

  @Test
  void whatAnotherProxyServesIsNotServedHere() throws Exception {
    HttpResponse<String> direct =
        get("http://127.0.0.44:" + PORT + "/public/", "X-Forwarded-Host", "127.0.0.41:" + PORT);
    assertThat(direct.statusCode()).isEqualTo(404);
  }

  @Test
  void nginxServesFilesBehindTheGateway() throws Exception {
    HttpResponse<String> page = get(DIRECT + "/public/page.html");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).isEqualTo(Nginx.PAGE);
    assertThat(page.headers().firstValue("Content-Type")).contains("text/html");
    String tag = page.headers().firstValue("ETag").orElseThrow();
    assertThat(get(DIRECT + "/public/page.html", "If-None-Match", tag).statusCode()).isEqualTo(304);
    HttpResponse<String> part = get(DIRECT + "/public/page.html", "Range", "bytes=0-14");
    assertThat(part.statusCode()).isEqualTo(206);
    assertThat(part.body()).isEqualTo(Nginx.PAGE.substring(0, 15));
    assertThat(get(DIRECT + "/public/none.html").statusCode()).isEqualTo(404);
    assertThat(get(DIRECT + "/page.html", "Accept", "text/html").statusCode()).isEqualTo(303);
    try (Person person = new Person(chromium.profile())) {
      person.open(DIRECT + "/page.html");
      person.signIn("alice", "demo");
      person.isAt(DIRECT + "/page.html");
      person.sees("A file");
    }
  }

  private static final String NGINX_NAME = "nginx";
  private static final String HAPROXY_NAME = "haproxy";

  private static final String CADDY_NAME = "caddy";

  private static String base(String proxy) {
    return switch (proxy) {
      case NGINX_NAME -> NGINX;
      case CADDY_NAME -> {
        Caddy.requireInstalled();
        yield CADDY;
      }
      default -> HAPROXY;
    };
  }

  private static HttpResponse<String> get(String url, String... headers) throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return CLIENT.send(request.build(), BodyHandlers.ofString());
  }
}
