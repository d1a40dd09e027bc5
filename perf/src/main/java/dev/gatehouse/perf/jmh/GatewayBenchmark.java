package dev.gatehouse.perf.jmh;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.CacheConfig;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TestRoutes;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.store.RocksStores;
import dev.gatehouse.gateway.cache.CacheFill;
import dev.gatehouse.gateway.cache.CacheFillRequest;
import dev.gatehouse.gateway.cache.CacheKey;
import dev.gatehouse.gateway.cache.CacheLookup;
import dev.gatehouse.gateway.cache.CacheRequest;
import dev.gatehouse.gateway.cache.CacheScope;
import dev.gatehouse.gateway.cache.CollectedBody;
import dev.gatehouse.gateway.cache.Freshness;
import dev.gatehouse.gateway.cache.ResponseCache;
import dev.gatehouse.gateway.cache.RoleKey;
import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.HeadLimits;
import dev.gatehouse.gateway.message.ParsedRequest;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.message.RequestParser;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.message.ResponseParser;
import dev.gatehouse.perf.sessions.SessionKind;
import dev.gatehouse.sp.session.AppSession;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Steps of each request at the gateway, one thread: the head of a browser's request is parsed; a page of 14 KB is found in the cache; a
 * session among 20,000 is found in embedded storage, so that a cache may have it or not.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = {"-XX:+UseCompactObjectHeaders", "-Xmx1g", "--enable-native-access=ALL-UNNAMED"})
public class GatewayBenchmark {

  private static final int SESSIONS = 20_000;
  private static final int PAGE = 14_336;
  private static final long NOW = 1_767_268_800L;
  private static final long MEMORY = 16 << 20;

  private static final String HEAD =
      "GET /staff/reports/2026/index.html?page=3 HTTP/1.1\r\nHost: app.localhost\r\n"
          + "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r\n"
          + "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\nAccept-Language: en-US,en;q=0.5\r\n"
          + "Accept-Encoding: gzip, deflate, br, zstd\r\nReferer: https://app.localhost/staff/\r\nConnection: keep-alive\r\n"
          + "Cookie: __Host-gh_app=3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA; theme=dark\r\nSec-Fetch-Dest: document\r\n"
          + "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Site: same-origin\r\nPriority: u=0, i\r\n\r\n";

  private final byte[] bytes = Ascii.bytes(HEAD);
  private final RequestParser parser = new RequestParser(HeadLimits.standard());
  private final Origin origin = Origin.of(URI.create(TestRealms.APP));
  private final ResponseCache cache = new ResponseCache(MEMORY, 2 * MEMORY);
  private final CacheScope scope = scope();
  private final CacheRequest page = CacheRequest.of(parsed());
  private Optional<Path> folder = Optional.empty();
  private Optional<RocksStores> stores = Optional.empty();
  private Optional<SessionStore<AppSession>> sessions = Optional.empty();
  private List<SessionId> ids = List.of();
  private int next;

  private RequestHead parsed() {
    if (parser.parse(bytes) instanceof RequestHead head) {
      return head;
    }
    throw new IllegalStateException("the head is not ours");
  }

  private static CacheScope scope() {
    return CacheScope.of(
            "demo",
            TestRoutes.withCache(TestRealms.route("staff", "/staff/", URI.create("http://127.0.0.1:1"), new Access.Public()), CacheConfig.USUAL))
        .orElseThrow();
  }

  private CacheKey key(CacheRequest request) {
    RequestHead head = request.head();
    return CacheKey.of(origin, Ascii.string(head.fields().bytes(), head.pathStart(), head.pathEnd()), request.query(scope));
  }

  /** Stores the page and opens the sessions. */
  @Setup
  public void prepare() throws IOException {
    String head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nCache-Control: public, max-age=3600\r\nContent-Length: " + PAGE + "\r\n\r\n";
    ResponseHead response = (ResponseHead) new ResponseParser(HeadLimits.standard()).parse(head.getBytes(StandardCharsets.US_ASCII), false);
    CacheFill fill = cache.begin(key(page));
    try (CollectedBody body = fill.newBody()) {
      if (!body.reserve(PAGE)) {
        throw new IllegalStateException("no memory for the page");
      }
      body.added(PAGE);
      CacheFillRequest asked = CacheFillRequest.of(scope, page, "/staff/reports/2026/index.html", false, Optional.empty());
      Freshness freshness = Freshness.of(response.fields(), scope.config(), NOW, NOW);
      if (fill.store(asked, RoleKey.NONE, response, freshness, body, NOW).refused().isPresent()) {
        throw new IllegalStateException("the page was not stored");
      }
    }
    Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    Path data = Files.createTempDirectory("gatehouse-jmh-");
    folder = Optional.of(data);
    // Open stores give each key space to one caller: here to the one that creates the sessions.
    try (RocksStores filled = new RocksStores(data, InstantSource.fixed(now))) {
      ids = SessionKind.GATEWAY.opened(filled, SESSIONS, now);
    }
    RocksStores opened = new RocksStores(data, InstantSource.fixed(now));
    stores = Optional.of(opened);
    sessions = Optional.of(opened.sessions(SessionKind.GATEWAY.store(), SessionKind.GATEWAY.codec()));
  }

  @TearDown
  public void end() throws IOException {
    stores.ifPresent(RocksStores::close);
    if (folder.isPresent()) {
      try (Stream<Path> files = Files.walk(folder.get())) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  @Benchmark
  public ParsedRequest requestHead() {
    return parser.parse(bytes);
  }

  /** What the cache does for a request whose head was parsed. */
  @Benchmark
  public CacheLookup cachedPage() {
    CacheRequest asked = CacheRequest.of(page.head());
    CacheLookup found = cache.find(scope, RoleKey.NONE, key(asked), asked, NOW);
    if (!(found instanceof CacheLookup.Fresh)) {
      throw new IllegalStateException("the page is gone");
    }
    return found;
  }

  @Benchmark
  public AppSession sessionFind() {
    next = next + 1 == SESSIONS ? 0 : next + 1;
    return sessions.orElseThrow().find(ids.get(next)).orElseThrow();
  }
}
