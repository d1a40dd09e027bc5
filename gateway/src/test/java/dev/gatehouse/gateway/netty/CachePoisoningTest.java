package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.CacheConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * SECURITY 58: what an app answers to that is no part of the key must not reach the next client. SECURITY 59: what was
 * answered to one person never reaches another one.
 */
@Timeout(60)
class CachePoisoningTest {

  private static final String CACHEABLE = "Cache-Control: public, max-age=60\r\n";

  /** Says in its body, cacheable, what it has received. */
  private static RawApp reflecting() throws IOException {
    return reflecting("");
  }

  private static RawApp reflecting(String fields) throws IOException {
    return new RawApp(
        (request, in, out, socket) -> {
          RawApp.readBody(request, in);
          out.write(CachingTest.page(CACHEABLE + fields, request.head()).getBytes(StandardCharsets.ISO_8859_1));
          out.flush();
        });
  }

  private static RawApp answering(String fields) throws IOException {
    return RawApp.answering(CachingTest.page(fields, "for one person"));
  }

  /** How often the app is asked when two ask for the same, and why the first answer was not kept. */
  private static String detail(TestGateway gateway, RawApp app, String path, String... lines) throws IOException {
    try (RawClient client = gateway.connect();
        RawClient victim = gateway.connect()) {
      RawClient.Response first = client.get(path, lines).read();
      assertThat(first.status()).isEqualTo(200);
      int before = app.received().size();
      RawClient.Response second = victim.get(path).read();
      assertThat(app.received()).as("asked again").hasSize(before + 1);
      assertThat(second.field("Age")).isEmpty();
      return first.field("Cache-Status").orElse("").replaceFirst(".*detail=", "");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X-Host: evil.example",
        "X-HTTP-Method-Override: DELETE",
        "X-Method-Override: POST",
        "X-Forwarded-Scheme: nothttps",
        "X-Original-URL: /admin",
        "X-Rewrite-URL: /admin",
        "X-Anything: <script>",
        "X_Forwarded_Host: evil.example",
        "Accept_Language: evil",
        "Front-End-Https: on",
        "True-Client-IP: 1.2.3.4",
        "Referer: https://evil.example/<script>",
        "From: evil@evil.example",
        "Via: 1.1 evil.example",
        "CDN-Loop: evil",
        "X-Correlation-Id: <script>",
        "X-Request-Id: <script>",
        "traceparent: <script>",
        "tracestate: evil=1",
        "Set-Cookie: evil=1",
        "Surrogate-Control: evil",
        "CDN-Cache-Control: evil",
        "X-B3-TraceId: 80f198ee56343ba864fe8b2a57d3eff7"
      })
  void whatIsNotInTheKeyDoesNotReachTheAppAndAllShareThePage(String line) throws IOException {
    try (RawApp app = reflecting();
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect();
        RawClient victim = gateway.connect()) {
      client.get("/public/page", line).read();
      String name = line.substring(0, line.indexOf(':')).toLowerCase(Locale.ROOT);
      assertThat(app.only().head().toLowerCase(Locale.ROOT)).doesNotContain("\r\n" + name + ": " + line.substring(name.length() + 2));
      assertThat(victim.get("/public/page").read().field("Age")).contains("0");
    }
  }

  /** An id of one request is a reason for another answer nowhere, and of use to the app's own log. */
  @Test
  void idsOfARequestReachTheAppAndAllShareThePage() throws IOException {
    String line = "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    try (RawApp app = answering(CACHEABLE);
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect();
        RawClient other = gateway.connect()) {
      client.get("/public/page", line).read();
      assertThat(app.only().has(line)).isTrue();
      assertThat(other.get("/public/page").read().field("Age")).contains("0");
      assertThat(other.get("/public/page", line.substring(0, line.length() - 1) + "2").read().field("Age")).contains("0");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Origin: https://evil.example", "X-Requested-With: XMLHttpRequest", "Prefer: return=minimal"})
  void anAnswerToAFieldThatAppsAnswerToIsNotKeptUnlessVaryNamesIt(String line) throws IOException {
    try (RawApp app = reflecting();
        TestGateway gateway = CachingGateway.before(app)) {
      assertThat(detail(gateway, app, "/public/page", line)).isEqualTo("REQUEST_FIELDS");
    }
    String name = line.substring(0, line.indexOf(':'));
    try (RawApp app = answering(CACHEABLE + "Vary: " + name + "\r\n");
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      client.get("/public/page", line).read();
      assertThat(client.get("/public/page", line).read().field("Age")).contains("0");
      assertThat(client.get("/public/page").read().field("Age")).as("another variant").isEmpty();
    }
  }

  @Test
  void aRoutesPassFieldsReachTheApp() throws IOException {
    UnaryOperator<CacheConfig> passing =
        CachingGateway.request(new CacheConfig.Request(Set.of(), Set.of("hx-request"), Set.of(), false));
    try (RawApp app = reflecting();
        TestGateway gateway = CachingGateway.before(app, passing)) {
      assertThat(detail(gateway, app, "/public/page", "HX-Request: true")).isEqualTo("REQUEST_FIELDS");
      assertThat(app.received().getFirst().has("HX-Request: true")).isTrue();
    }
    try (RawApp app = answering(CACHEABLE + "Vary: HX-Request\r\n");
        TestGateway gateway = CachingGateway.before(app, passing);
        RawClient client = gateway.connect()) {
      client.get("/public/page", "HX-Request: true").read();
      assertThat(client.get("/public/page", "hx-request: true").read().field("Age")).contains("0");
      assertThat(client.get("/public/page").read().field("Age")).isEmpty();
    }
  }

  /** What the app does not get is no part of the key either, whatever its Vary says. */
  @Test
  void aVaryByAFieldThatIsLeftOutTellsNobodyApart() throws IOException {
    try (RawApp app = answering(CACHEABLE + "Vary: X-Tenant\r\n");
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      client.get("/public/page", "X-Tenant: a").read();
      assertThat(app.only().head()).doesNotContainIgnoringCase("x-tenant");
      assertThat(client.get("/public/page", "X-Tenant: b").read().field("Age")).contains("0");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Connection: accept-language",
        "Connection: keep-alive, Accept-Language",
        "Connection: close, ACCEPT-LANGUAGE",
        "Connection: x, accept-language, accept-language"
      })
  void aNominatedFieldThatVaryNamesIsNotInTheKey(String line) throws IOException {
    try (RawApp app = reflecting("Vary: Accept-Language\r\n");
        TestGateway gateway = CachingGateway.before(app);
        RawClient attacker = gateway.connect();
        RawClient victim = gateway.connect()) {
      attacker.get("/public/page", line, "Accept-Language: de").read();
      assertThat(app.only().head()).doesNotContainIgnoringCase("\r\naccept-language:");
      RawClient.Response seen = victim.get("/public/page", "Accept-Language: de").read();
      assertThat(seen.body()).contains("Accept-Language: de");
      assertThat(victim.get("/public/page").read().field("Age")).as("what the attacker got is for all without").contains("0");
    }
  }

  @Test
  void aNominatedFieldOfTheRoutesKeyIsNotInTheKey() throws IOException {
    UnaryOperator<CacheConfig> keyed =
        CachingGateway.request(new CacheConfig.Request(Set.of("x-tenant"), Set.of(), Set.of(), false));
    try (RawApp app = reflecting();
        TestGateway gateway = CachingGateway.before(app, keyed);
        RawClient attacker = gateway.connect();
        RawClient victim = gateway.connect()) {
      attacker.get("/public/page", "Connection: x-tenant", "X-Tenant: a").read();
      assertThat(victim.get("/public/page", "X-Tenant: a").read().body()).contains("X-Tenant: a");
      assertThat(attacker.get("/public/page", "Connection: x-tenant", "X-Tenant: a").read().body()).doesNotContain("X-Tenant");
    }
  }

  /** A client's Connection field must not take away what the cache itself asks with. */
  @Test
  void nominatingAConditionDoesNotTakeOursAway() throws IOException {
    try (RawApp app = RawApp.answering(CachingTest.page("Cache-Control: max-age=10\r\nETag: \"a\"\r\n", "page"));
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      client.get("/public/page").read();
      gateway.time().advance(java.time.Duration.ofSeconds(11));
      client.get("/public/page", "Connection: if-none-match, host, cache-control").read();
      assertThat(app.received().get(1).has("If-None-Match: \"a\"")).isTrue();
    }
  }

  /** An app is asked with the same fields where its answer will not be kept, so that it never works now and then only. */
  @Test
  void whatPassesTheCacheByHasTheSameFields() throws IOException {
    try (RawApp app = answering("Cache-Control: no-store\r\n");
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      for (String condition : List.of("X-A: 1", "X-A: 1", "If-Match: \"a\"")) {
        client.get("/public/page", condition, "X-Tenant: a", "Connection: x-b", "X-B: b").read();
      }
      assertThat(app.received()).hasSize(3).noneMatch(r -> r.head().contains("X-"  + "Tenant") || r.head().contains("X-B"));
      assertThat(app.received().getLast().has("If-Match: \"a\"")).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X-Forwarded-For: 6.6.6.6",
        "X-Forwarded-Host: evil.example",
        "X-Forwarded-Proto: gopher",
        "X-Forwarded-Port: 6666",
        "Forwarded: host=evil.example"
      })
  void forgedForwardingFieldsDoNotReachTheAppThatFillsTheCache(String line) throws IOException {
    try (RawApp app = reflecting();
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect();
        RawClient victim = gateway.connect()) {
      client.get("/public/page", line).read();
      RawClient.Response second = victim.get("/public/page").read();
      assertThat(second.body()).doesNotContain("evil").doesNotContain("6.6.6.6").doesNotContain("6666").doesNotContain("gopher");
      assertThat(app.received()).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Range: bytes=0-3",
        "If-None-Match: \"x\"",
        "Accept-Encoding: br",
        "Cache-Control: no-cache",
        "Pragma: no-cache",
        "If-Modified-Since: Thu, 01 Jan 2026 00:00:00 GMT"
      })
  void whatIsAskedOfTheCacheIsNotAskedOfTheApp(String line) throws IOException {
    try (RawApp app = reflecting();
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      client.get("/public/page", line).read();
      String name = line.substring(0, line.indexOf(':'));
      assertThat(app.only().head().toLowerCase(Locale.ROOT)).doesNotContain("\r\n" + name.toLowerCase(Locale.ROOT) + ":");
    }
  }

  @Test
  void aGetWithABodyNeitherFillsNorReadsTheCache() throws IOException {
    try (RawApp app = reflecting();
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      for (int i = 0; i < 2; i++) {
        client.get("/public/page", "Content-Length: 4").send("evil");
        assertThat(client.read().field("Cache-Status")).isEmpty();
      }
      assertThat(app.received()).hasSize(2);
      assertThat(client.get("/public/page").read().field("Age")).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Cache-Control: public, max-age=60~Set-Cookie: id=1     | SET_COOKIE
          Cache-Control: private, max-age=60                     | PRIVATE
          Cache-Control: private="x", max-age=60                 | PRIVATE
          Cache-Control: no-store, max-age=60                    | NO_STORE
          Cache-Control: max-age=60, no-store                    | NO_STORE
          Cache-Control: max-age=60, x="no-store                 | NO_STORE
          Cache-Control: public, max-age=60~Vary: *              | VARY_ALL
          Cache-Control: public, max-age=60~Vary: Accept, *      | VARY_ALL
          Cache-Control: public, max-age=60~Vary: Cookie         | VARY_PERSONAL
          Cache-Control: public, max-age=60~Vary: authorization  | VARY_PERSONAL
          Cache-Control: public, max-age=60~Vary: Remote-User    | VARY_PERSONAL
          Cache-Control: public, max-age=60~Vary: REMOTE_GROUPS  | VARY_PERSONAL
          Cache-Control: public, max-age=60~Vary: X-Forwarded-For| VARY_PERSONAL
          Cache-Control: public, max-age=60~Content-Encoding: br | ENCODED
          Cache-Control: public, max-age=60~Content-Range: bytes 0-3/9 | PARTIAL
          Cache-Control: max-age=0                               | NOT_FRESH
          Cache-Control: public                                  | NOT_FRESH
          Expires: 0                                             | NOT_FRESH
          X-Nothing: said                                        | NOT_FRESH
          """)
  void whatMustNotBeSharedIsNotKept(String fields, String reason) throws IOException {
    try (RawApp app = answering(fields.replace("~", "\r\n") + "\r\n");
        TestGateway gateway = CachingGateway.before(app)) {
      assertThat(detail(gateway, app, "/public/page")).isEqualTo(reason);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"400 Bad", "401 No", "403 No", "429 No", "206 Part", "201 Made", "414 Long", "431 Large"})
  void errorsThatAClientCanProvokeAreNotKeptWhateverTheySay(String status) throws IOException {
    String answer = CachingTest.page(CACHEABLE, "no").replace("200 OK", status);
    try (RawApp app = RawApp.answering(answer);
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      client.get("/public/page").read();
      assertThat(client.get("/public/page").read().field("Age")).isEmpty();
      assertThat(app.received()).hasSize(2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"404 Not Found", "503 Later"})
  void anErrorIsKeptWhereTheAppSaysForHowLong(String status) throws IOException {
    try (RawApp silent = RawApp.answering(CachingTest.page("", "no").replace("200 OK", status));
        TestGateway gateway = CachingGateway.before(silent);
        RawClient client = gateway.connect()) {
      client.get("/public/page").read();
      client.get("/public/page").read();
      assertThat(silent.received()).hasSize(2);
    }
    try (RawApp app = RawApp.answering(CachingTest.page(CACHEABLE, "no").replace("200 OK", status));
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      client.get("/public/page").read();
      assertThat(client.get("/public/page").read().field("Age")).contains("0");
      assertThat(app.received()).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Content-Length: 100\r\n\r\nshort", "Transfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n", "\r\nshort"})
  void aTruncatedAnswerIsNotKept(String rest) throws IOException {
    try (RawApp app =
            new RawApp(
                (request, in, out, socket) -> {
                  out.write(("HTTP/1.1 200 OK\r\n" + CACHEABLE + rest).getBytes(StandardCharsets.ISO_8859_1));
                  out.flush();
                  socket.close();
                });
        TestGateway gateway = CachingGateway.before(app)) {
      for (int i = 0; i < 2; i++) {
        try (RawClient client = gateway.connect()) {
          assertThat(client.get("/public/page").read().field("Age")).isEmpty();
        }
      }
      assertThat(app.received()).hasSizeGreaterThanOrEqualTo(2);
    }
  }

  @Test
  void credentialsAndCookiesOfTheAppAreNotSharedUnlessTheAppSaysPublic() throws IOException {
    for (String line :
        List.of(
            "Authorization: Basic YTpi", "Cookie: app_session=1", "DPoP: x", "Cookie: gh_x=1,app_session=1",
            "Cookie: gh_x=1, gh_y=2 ,\tapp_session=1")) {
      try (RawApp app = answering("Cache-Control: max-age=60\r\n");
          TestGateway gateway = CachingGateway.before(app)) {
        assertThat(detail(gateway, app, "/public/page", line)).isEqualTo("CREDENTIALS");
      }
      try (RawApp app = answering(CACHEABLE);
          TestGateway gateway = CachingGateway.before(app);
          RawClient client = gateway.connect()) {
        client.get("/public/page", line).read();
        assertThat(client.get("/public/page").read().field("Age")).contains("0");
      }
    }
  }

  /** Where ours is taken away, the app sees what stood behind it. */
  @Test
  void aCookieBehindACommaInOneOfOursIsTheAppsWhereRolesShare() throws IOException {
    try (RawApp app = answering("");
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      String alice = "gh_app=" + gateway.sessions().open("alice", List.of(), List.of());
      String bob = "Cookie: gh_app=" + gateway.sessions().open("bob", List.of(), List.of());
      RawClient.Response first = client.get("/untold/page", "Cookie: gh_x=1,app_session=evil; " + alice).read();
      assertThat(app.only().has("Cookie: app_session=evil")).as(app.only().head()).isTrue();
      assertThat(first.field("Cache-Status").orElseThrow()).endsWith("detail=CREDENTIALS");
      assertThat(client.get("/untold/page", bob).read().field("Age")).isEmpty();
    }
  }

  @Test
  void whatWasAnsweredToAnybodyIsNotGivenToWhoShowsCredentialsUnlessPublic() throws IOException {
    try (RawApp app = answering("Cache-Control: max-age=60\r\n");
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      client.get("/public/page").read();
      assertThat(client.get("/public/page", "Authorization: Basic YTpi").read().field("Age")).isEmpty();
      assertThat(app.received()).hasSize(2);
    }
  }

  @Test
  void anIdentifiedAnswerIsNeverKeptWhereTheRouteSharesNothing() throws IOException {
    try (RawApp app = answering(CACHEABLE);
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      String alice = "Cookie: gh_app=" + gateway.sessions().open("alice", List.of(), List.of());
      String bob = "Cookie: gh_app=" + gateway.sessions().open("bob", List.of(), List.of());
      for (String person : List.of(alice, bob, alice)) {
        RawClient.Response response = client.get("/private/page", person).read();
        assertThat(response.field("Age")).isEmpty();
        assertThat(response.field("Cache-Control").orElseThrow()).contains("private");
      }
      assertThat(app.received()).hasSize(3);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Cache-Control: max-age=60                              | IDENTIFIED_NOT_PUBLIC
          Cache-Control: public, max-age=60~Vary: Remote-User    | VARY_PERSONAL
          Cache-Control: public, max-age=60~Vary: remote_groups  | VARY_PERSONAL
          Cache-Control: private, max-age=60                     | PRIVATE
          Cache-Control: public, max-age=60~Set-Cookie: a=b      | SET_COOKIE
          """)
  void whereTheRouteSharesByRoleTheAppMustSayPublic(String fields, String reason) throws IOException {
    try (RawApp app = answering(fields.replace("~", "\r\n") + "\r\n");
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      String alice = "Cookie: gh_app=" + gateway.sessions().open("alice", List.of("manager"), List.of());
      String bob = "Cookie: gh_app=" + gateway.sessions().open("bob", List.of("manager"), List.of());
      RawClient.Response first = client.get("/shared/page", alice).read();
      assertThat(first.field("Cache-Status").orElseThrow()).endsWith("detail=" + reason);
      assertThat(client.get("/shared/page", bob).read().field("Age")).isEmpty();
      assertThat(app.received()).hasSize(2);
    }
  }

  /** The route speaks for an app that says nothing, unless the app was told who asks. */
  @Test
  void aSilentAppThatKnowsWhoAsksMayHaveAnsweredToThemAlone() throws IOException {
    try (RawApp app = answering("");
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      String alice = "Cookie: gh_app=" + gateway.sessions().open("alice", List.of(), List.of());
      String bob = "Cookie: gh_app=" + gateway.sessions().open("bob", List.of(), List.of());
      RawClient.Response told = client.get("/told/page", alice).read();
      assertThat(told.field("Cache-Status").orElseThrow()).endsWith("detail=IDENTIFIED_NOT_PUBLIC");
      assertThat(client.get("/told/page", bob).read().field("Age")).isEmpty();
      client.get("/untold/page", alice).read();
      assertThat(client.get("/untold/page", bob).read().field("Age")).contains("0");
    }
  }

  @Test
  void whoMayNoLongerComeGetsNothingFromTheCache() throws IOException {
    try (RawApp app = answering(CACHEABLE);
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      String token = gateway.sessions().open("alice", List.of("manager"), List.of());
      String alice = "Cookie: gh_app=" + token;
      client.get("/shared/page", alice).read();
      assertThat(client.get("/shared/page", alice).read().field("Age")).contains("0");
      gateway.sessions().end(token);
      RawClient.Response after = client.get("/shared/page", alice).read();
      assertThat(after.status()).isEqualTo(303);
      assertThat(after.body()).doesNotContain("for one person");
    }
  }

  @Test
  void whatOneRouteKeepsIsNotServedByAnotherNorAfterItsRulesChanged() throws IOException {
    try (RawApp app = answering(CACHEABLE);
        TestGateway gateway = CachingGateway.before(app);
        RawClient client = gateway.connect()) {
      client.get("/public/page").read();
      gateway.realms().set(CachingGateway.realm(app, CachingGateway.stale(java.time.Duration.ofHours(1), java.time.Duration.ZERO)));
      assertThat(client.get("/public/page").read().field("Age")).isEmpty();
      assertThat(app.received()).hasSize(2);
      gateway.realms().set(CachingGateway.realm(app, CachingGateway.stale(java.time.Duration.ofHours(1), java.time.Duration.ZERO)));
      assertThat(client.get("/public/page").read().field("Age")).as("the same configuration again").contains("0");
    }
  }
}
