package dev.gatehouse.gateway.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.realm.RewriteConfig.Paths;
import dev.gatehouse.gateway.route.RequestPath;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is authorised is the public path; what is forwarded is derived from it exactly and cannot climb. */
class PathMappingTest {

  private static final String[] PIECES = {
    "/", "/", "/", "app", "base", "a", ".", "..", "%2e", "%2E%2e", ";", ";x=..", "%2f", "\\", "%5c", "%00", "%25", "%252e", "~",
    "é", "A", "..;", "//", "/./", "/../"
  };

  private static Optional<String> normalised(String raw) {
    byte[] bytes = raw.getBytes(StandardCharsets.ISO_8859_1);
    return RequestPath.of(bytes, 0, bytes.length).map(RequestPath::value);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 20261122})
  void noPathClimbsOutOfTheAppsAndEveryPathComesBack(long seed) {
    Random random = new Random(seed);
    int forwarded = 0;
    for (int i = 0; i < 20_000; i++) {
      StringBuilder raw = new StringBuilder("/app/");
      for (int n = random.nextInt(8); n > 0; n--) {
        raw.append(PIECES[random.nextInt(PIECES.length)]);
      }
      PathMapping mapping = PathMapping.of(new Paths("/app/", random.nextBoolean() ? "/" : "/inner/place/"));
      Optional<String> path = normalised(raw.toString());
      if (path.isEmpty() || !(path.get() + "/").startsWith("/app/")) {
        continue; // refused, or another route's
      }
      forwarded++;
      String asked = mapping.toApp(path.get());
      assertThat(asked + "/").as("seed %s, %s", seed, raw).startsWith(mapping.inside() + "/");
      assertThat(asked).as("seed %s, %s", seed, raw).startsWith("/").doesNotStartWith("//");
      // Read again as strictly as before it is the same path: nothing in it is left to resolve.
      assertThat(normalised(asked)).as("seed %s, %s", seed, raw).contains(asked);
      if (path.get().startsWith("/app/")) {
        assertThat(mapping.toClient(asked)).as("seed %s, %s", seed, raw).isEqualTo(path.get());
      }
    }
    assertThat(forwarded).isGreaterThan(2_000);
  }

  @Test
  void aPathThatTheRouteDoesNotCoverIsOurMistake() {
    assertThatThrownBy(() -> PathMapping.of(new Paths("/app/", "/")).toApp("/application"))
        .isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {4, 5, 6})
  void noLinkOfAnAppsIsAFaultOrALineBreak(long seed) {
    Random random = new Random(seed);
    String[] pieces = {"http://", "https:", "//", "/", "127.0.0.1:1", "base", "?", "#", "@", "\\", "[", "%", ";", "url=", "'", "\"", " ", "5"};
    for (int i = 0; i < 10_000; i++) {
      StringBuilder value = new StringBuilder("x");
      value.setLength(0);
      for (int n = 1 + random.nextInt(8); n > 0; n--) {
        value.append(pieces[random.nextInt(pieces.length)]);
      }
      Links links =
          new Links(
              new dev.gatehouse.common.http.Origin("https", "portal.example", 443),
              java.util.Set.of(new dev.gatehouse.common.http.Origin("http", "127.0.0.1", 1)),
              new PathMapping("/app", "/base"),
              true,
              true);
      String mapped = links.location(value.toString());
      if (!mapped.contentEquals(value)) {
        assertThat(mapped).as("seed %s, %s", seed, value).matches("(https://portal\\.example)?/app(/.*|[?#].*)?");
      }
      links.refresh("5; url=" + value);
      links.cookie("a=b; path=" + value);
    }
  }
}
