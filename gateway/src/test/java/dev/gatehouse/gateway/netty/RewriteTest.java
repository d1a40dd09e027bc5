package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.ResponseConfig;
import dev.gatehouse.common.realm.ResponseConfig.SecurityField;
import dev.gatehouse.common.realm.RewriteConfig;
import dev.gatehouse.common.realm.RewriteConfig.Paths;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TestRoutes;
import dev.gatehouse.gateway.netty.RawClient.Response;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An app at {@code /base} of a host of its own works at {@code /app/} of the portal; security headers of a route. */
@Timeout(60)
class RewriteTest {

  private static Realm realm(URI app, RewriteConfig rewrite, ResponseConfig response) {
    return TestRealms.change(TestRealms.demo())
        .spUrls("http://app.localhost", "https://app.localhost")
        .routes(
            TestRoutes.withResponse(TestRoutes.withRewrite(TestRealms.route("app", "/app/", app, new Access.Public()), rewrite), response),
            TestRealms.route("other", "/", app, new Access.RequiresRole(java.util.Set.of("nobody"))))
        .realm();
  }

  private static RewriteConfig paths(String from, String to) {
    return new RewriteConfig(Optional.of(new Paths(from, to)), true, true);
  }

  /** What a client of {@code /app/} gets from an app at {@code /base} that answers with these fields. */
  private static Response answer(String path, String fields, RewriteConfig rewrite, List<String> asked)
      throws IOException {
    RawApp.Behaviour answering =
        (request, in, out, socket) -> {
          String port = Integer.toString(socket.getLocalPort());
          out.write(
              ("HTTP/1.1 302 Found\r\n" + fields.replace("PORT", port) + "\r\nContent-Length: 0\r\n\r\n")
                  .getBytes(StandardCharsets.ISO_8859_1));
        };
    try (RawApp app = new RawApp(answering);
        TestGateway gateway =
            TestGateway.of(realm(URI.create("http://127.0.0.1:" + app.port() + "/base"), rewrite, ResponseConfig.PLAIN));
        RawClient client = gateway.connect()) {
      Response response = client.get(path).read();
      app.received().forEach(r -> asked.add(r.requestLine()));
      return response;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/app/, /base/", "/app/x/y?q=/app/, /base/x/y?q=/app/", "/app, /base/", "/app/app/x, /base/app/x",
    "/app//x, /base/x", "/app/a/../b, /base/b", "/app/%41, /base/A", "/app/./, /base/"
  })
  void whatIsAskedOfTheAppIsDerivedFromThePublicPath(String path, String forwarded) throws Exception {
    List<String> asked = new java.util.ArrayList<>();
    assertThat(answer(path, "X: y", paths("/app/", "/"), asked).status()).isEqualTo(302);
    assertThat(asked).containsExactly("GET " + forwarded + " HTTP/1.1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/app/../manager/", "/app/..%2f", "/app/%2e%2e/x", "/app/..;/x", "/app/x/../../y", "/app;/../x"})
  void noPathLeadsOutOfTheApp(String path) throws Exception {
    List<String> asked = new java.util.ArrayList<>();
    // What climbs out of /app/ is another route's or ambiguous; never the app's.
    assertThat(answer(path, "X: y", paths("/app/", "/"), asked).status()).isIn(303, 400);
    assertThat(asked).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/base/next?a=b#c | /app/next?a=b#c",
        "http://127.0.0.1:PORT/base/next | http://app.localhost/app/next",
        "HTTP://127.0.0.1:PORT/base | http://app.localhost/app",
        "http://app.localhost/base/next?x=/base/ | http://app.localhost/app/next?x=/base/",
        "//app.localhost/base/next | http://app.localhost/app/next",
        "next | next",
        "?page=2 | ?page=2",
        "/elsewhere | /elsewhere",
        "/basement | /basement",
        "https://other.example/base/x | https://other.example/base/x",
        "https://app.localhost/base/x | https://app.localhost/base/x",
        "http://127.0.0.1:PORT@evil.example/base/x | http://127.0.0.1:PORT@evil.example/base/x",
        "http://127.0.0.1:PORT/other | http://127.0.0.1:PORT/other"
      })
  void locationsAreToldInTheClientsWords(String told, String seen) throws Exception {
    Response response = answer("/app/", "Location: " + told, paths("/app/", "/"), new java.util.ArrayList<>());
    String port = response.field("Location").orElseThrow().replaceFirst("127\\.0\\.0\\.1:\\d+", "127.0.0.1:PORT");
    assertThat(port).isEqualTo(seen);
  }

  @Test
  void aLinkNeverBecomesAnotherHostsByWhatIsCutOff() throws Exception {
    Response response =
        answer("/app/", "Location: /base//evil.example/", paths("/app/", "/"), new java.util.ArrayList<>());
    assertThat(response.field("Location")).contains("/app//evil.example/");
    URI root = URI.create("http://127.0.0.1:1/base");
    assertThat(dev.gatehouse.gateway.filter.TestEdits.location(root, Optional.empty(), "/base//evil.example/"))
        .isEqualTo("/evil.example/");
    assertThat(dev.gatehouse.gateway.filter.TestEdits.location(root, Optional.empty(), "/base/\\evil.example/"))
        .isEqualTo("/evil.example/");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Content-Location: /base/x | Content-Location: /app/x",
        "Refresh: 5; url=/base/x | Refresh: 5; url=/app/x",
        "Refresh: 0;URL=\"http://127.0.0.1:PORT/base/\" | Refresh: 0;URL=\"http://app.localhost/app/\"",
        "Refresh: 5 | Refresh: 5",
        "Set-Cookie: a=b; Path=/base; Domain=127.0.0.1; HttpOnly | Set-Cookie: a=b; Path=/app; HttpOnly",
        "Set-Cookie: a=b; path=/base/x;Secure | Set-Cookie: a=b; Path=/app/x;Secure",
        "Set-Cookie: a=b; Path=/ | Set-Cookie: a=b; Path=/app/",
        "Set-Cookie: a=b; Path=/other | Set-Cookie: a=b; Path=/app/",
        "Set-Cookie: a=b | Set-Cookie: a=b",
        "Set-Cookie: __Host-a=b; Path=/; Secure | Set-Cookie: __Host-a=b; Path=/; Secure"
      })
  void contentLocationRefreshAndCookiesToo(String told, String seen) throws Exception {
    Response response = answer("/app/", told, paths("/app/", "/"), new java.util.ArrayList<>());
    assertThat(response.fields()).contains(seen);
  }

  @Test
  void anAppAtABasePathIsToldOutsideWithoutItEvenWhereNothingIsConfigured() throws Exception {
    List<String> asked = new java.util.ArrayList<>();
    Response response = answer("/app/x", "Location: /base/app/y", RewriteConfig.NONE, asked);
    assertThat(response.field("Location")).contains("/app/y");
    assertThat(asked).containsExactly("GET /base/app/x HTTP/1.1");
  }

  @Test
  void linksAndCookiesCanBeLeftAlone() throws Exception {
    RewriteConfig quiet = new RewriteConfig(Optional.of(new Paths("/app/", "/")), false, false);
    Response response =
        answer("/app/", "Location: /base/x\r\nSet-Cookie: a=b; Path=/base", quiet, new java.util.ArrayList<>());
    assertThat(response.fields()).contains("Location: /base/x", "Set-Cookie: a=b; Path=/base");
  }

  @Test
  void securityHeadersAreAddedWhereTheAppHasNoneAndStrictTransportSecurityNeverOnHttp() throws Exception {
    ResponseConfig response =
        new ResponseConfig(
            List.of(
                new SecurityField("Strict-Transport-Security", "max-age=1000"),
                new SecurityField("X-Frame-Options", "SAMEORIGIN"),
                new SecurityField("X-Content-Type-Options", "nosniff")),
            ResponseConfig.PLAIN.errorPages(),
            Optional.empty());
    String answer =
        "HTTP/1.1 200 OK\r\nx-frame-options: DENY\r\nStrict-Transport-Security: max-age=0\r\nContent-Length: 2\r\n\r\nok";
    try (RawApp app = RawApp.answering(answer)) {
      Realm realm = realm(URI.create("http://127.0.0.1:" + app.port()), RewriteConfig.NONE, response);
      try (TestGateway gateway = TestGateway.of(realm);
          RawClient client = gateway.connect()) {
        Response plain = client.get("/app/").read();
        assertThat(plain.fields()).contains("x-frame-options: DENY", "X-Content-Type-Options: nosniff");
        assertThat(plain.fields()).doesNotContain("X-Frame-Options: SAMEORIGIN");
        assertThat(plain.field("Strict-Transport-Security")).isEmpty();
      }
      assertThat(
              dev.gatehouse.gateway.filter.TestEdits.fields(
                  realm.gateway().routes().getFirst(), "https", Map.of("Strict-Transport-Security", "max-age=0")))
          .contains("Strict-Transport-Security: max-age=1000")
          .doesNotContain("Strict-Transport-Security: max-age=0");
    }
  }
}
