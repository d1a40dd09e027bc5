package dev.gatehouse.gateway.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.CacheConfig;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TestRoutes;
import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.HeadLimits;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.message.RequestParser;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.message.ResponseParser;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is kept is found by whoever it is for, by nobody else, and not after a purge; within its memory. */
class ResponseCacheTest {

  private static final long NOW = 1_767_268_800L;
  private static final Origin APP = new Origin("http", "app.localhost", 80);
  private static final CacheScope SCOPE = scope("public");

  private final ResponseCache cache = new ResponseCache(1 << 20, 2 << 20);

  private static CacheScope scope(String name) {
    CacheConfig usual = CacheConfig.USUAL;
    CacheConfig tagged =
        new CacheConfig(
            usual.defaultFreshness(), usual.maxAge(), usual.maxObject(), usual.staleWhileRevalidate(),
            usual.staleIfError(), usual.sharing(), usual.request(),
            Optional.of("surrogate-key"), false);
    return CacheScope.of(
            "demo",
            TestRoutes.withCache(TestRealms.route(name, "/" + name + "/", URI.create("http://127.0.0.1:1"), new Access.Public()), tagged))
        .orElseThrow();
  }

  private static CacheRequest request(String path, String lines) {
    String head = "GET " + path + " HTTP/1.1\r\nHost: app.localhost\r\n" + lines + "\r\n";
    return CacheRequest.of((RequestHead) new RequestParser(HeadLimits.standard()).parse(Ascii.bytes(head)));
  }

  private static CacheKey key(CacheScope scope, CacheRequest request) {
    RequestHead head = request.head();
    return CacheKey.of(APP, Ascii.string(head.fields().bytes(), head.pathStart(), head.pathEnd()), request.query(scope));
  }

  private Optional<NotStored> keep(CacheFill fill, CacheScope scope, CacheRequest request, String fields, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.ISO_8859_1);
    String text = "HTTP/1.1 200 OK\r\n" + fields + "Content-Length: " + bytes.length + "\r\n\r\n";
    ResponseHead head =
        (ResponseHead) new ResponseParser(HeadLimits.standard()).parse(Ascii.bytes(text), false);
    CacheFillRequest filled = CacheFillRequest.of(scope, request, "/x", false, Optional.empty());
    Freshness freshness = Freshness.of(head.fields(), scope.config(), NOW, NOW);
    Optional<NotStored> refusal = Storability.refusal(filled, head, freshness);
    if (refusal.isPresent()) {
      return refusal;
    }
    try (CollectedBody gathered = fill.newBody()) {
      assertThat(gathered.reserve(bytes.length)).isTrue();
      System.arraycopy(bytes, 0, gathered.array(), 0, bytes.length);
      gathered.added(bytes.length);
      return fill.store(filled, RoleKey.NONE, head, freshness, gathered, NOW).refused();
    }
  }

  private Optional<NotStored> keep(CacheScope scope, CacheRequest request, String fields, String body) {
    return keep(cache.begin(key(scope, request)), scope, request, fields, body);
  }

  private Optional<String> find(CacheScope scope, CacheRequest request) {
    if (cache.find(scope, RoleKey.NONE, key(scope, request), request, NOW) instanceof CacheLookup.Fresh(StoredResponse kept)) {
      byte[] bytes = new byte[kept.plain().length()];
      kept.plain().body().duplicate().get(bytes);
      return Optional.of(new String(bytes, StandardCharsets.ISO_8859_1));
    }
    return Optional.empty();
  }

  /** Whatever is asked for, the answer is the one to the very same address and the very same values of what it varies by. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void noAnswerIsGivenToAnotherQuestion(long seed) {
    Random random = new Random(seed);
    String[] names = {"Accept", "Accept-Language", "User-Agent"};
    String[] values = {"", "a", "b", "a, b", "A"};
    String[] paths = {"/public/a", "/public/a?", "/public/a?x", "/public/A", "/public/a/", "/public/a%3Fx", "/public/b"};
    CacheScope[] scopes = {SCOPE, scope("other")};
    Map<String, String> varies = new HashMap<>();
    for (int i = 0; i < 3000; i++) {
      int place = random.nextInt(paths.length);
      String path = paths[place];
      // Another route's answer under the same address, now and then, as after a change of the configuration.
      CacheScope scope = scopes[random.nextInt(100) == 0 ? 1 : 0];
      Map<String, String> asked = new HashMap<>();
      StringBuilder lines = new StringBuilder();
      for (String name : names) {
        String value = values[random.nextInt(values.length)];
        asked.put(name, value);
        if (!value.isEmpty()) {
          lines.append(name).append(": ").append(value).append("\r\n");
        }
      }
      CacheRequest request = request(path, lines.toString());
      String vary = varies.computeIfAbsent(path, p -> names[random.nextInt(names.length)]);
      String right = scope + " " + path + " " + vary + "=" + asked.get(vary);
      Optional<String> found = find(scope, request);
      if (found.isPresent()) {
        assertThat(found.get()).as("seed " + seed).isEqualTo(right);
      } else {
        keep(scope, request, "Cache-Control: max-age=60\r\nVary: " + vary + "\r\n", right);
      }
    }
    assertThat(cache.stats("demo").hits()).isGreaterThan(1000);
  }

  @Test
  void itStaysWithinItsMemory() {
    for (int i = 0; i < 2000; i++) {
      keep(SCOPE, request("/public/" + i, ""), "Cache-Control: max-age=60\r\n", "x".repeat(5000));
    }
    assertThat(cache.weight()).isLessThanOrEqualTo(1 << 20);
    assertThat(cache.stats("demo").evicted()).isGreaterThan(1500);
    assertThat(cache.stats("demo").responses()).isGreaterThan(100);
  }

  @Test
  void variantsOfOneAddressAreBounded() {
    for (int i = 0; i < 200; i++) {
      keep(SCOPE, request("/public/a", "Accept: " + i + "\r\n"), "Cache-Control: max-age=60\r\nVary: Accept\r\n", "x");
    }
    assertThat(cache.stats("demo").responses()).isEqualTo(32);
  }

  @Test
  void whatWasAskedForBeforeAPurgeIsNotKeptAfterIt() {
    CacheRequest request = request("/public/a", "");
    for (Runnable purge :
        List.<Runnable>of(
            () -> cache.purge(key(SCOPE, request), "demo"),
            () -> cache.invalidate(key(SCOPE, request)),
            () -> cache.purgeTag("demo", "any"),
            () -> cache.purgeRoute("demo", "public"),
            () -> cache.purgeRealm("demo"))) {
      CacheFill before = cache.begin(key(SCOPE, request));
      purge.run();
      assertThat(keep(before, SCOPE, request, "Cache-Control: max-age=60\r\n", "old")).contains(NotStored.PURGED);
      assertThat(find(SCOPE, request)).isEmpty();
    }
  }

  @Test
  void aTagARouteAndAnAddressArePurgedAndNothingElse() {
    CacheScope other = scope("other");
    CacheRequest a = request("/public/a", "");
    CacheRequest b = request("/public/b", "");
    CacheRequest c = request("/other/c", "");
    Runnable fill =
        () -> {
          keep(SCOPE, a, "Cache-Control: max-age=60\r\nSurrogate-Key: news front\r\n", "a");
          keep(SCOPE, b, "Cache-Control: max-age=60\r\nSurrogate-Key: front, sport\r\n", "b");
          keep(other, c, "Cache-Control: max-age=60\r\n", "c");
        };
    fill.run();
    assertThat(cache.purgeTag("demo", "news")).isEqualTo(1);
    assertThat(cache.purgeTag("elsewhere", "front")).isZero();
    assertThat(find(SCOPE, a)).isEmpty();
    assertThat(find(SCOPE, b)).contains("b");
    fill.run();
    assertThat(cache.purgeRoute("demo", "public")).isEqualTo(2);
    assertThat(find(other, c)).contains("c");
    fill.run();
    assertThat(cache.purge(key(SCOPE, a), "elsewhere")).isZero();
    assertThat(cache.purge(key(SCOPE, a), "demo")).isEqualTo(1);
    assertThat(cache.keepOnly(java.util.Set.of(other))).isEqualTo(1);
    assertThat(find(other, c)).contains("c");
  }
}
