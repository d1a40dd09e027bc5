package dev.gatehouse.common.realm.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.node.GatewayNodeConfig;
import dev.gatehouse.common.realm.CacheConfig;
import dev.gatehouse.common.realm.CacheConfig.Sharing;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.yaml.Key;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every key about stored responses, and the defaults. */
class CacheKeysTest {

  private static final String UPSTREAM = "    upstream: http://127.0.0.1:9000\n";

  @TempDir Path path;

  private Optional<CacheConfig> read(String keys) {
    return ConfigurationFolder.minimal(path)
        .demo(UPSTREAM, UPSTREAM + keys)
        .realm()
        .gateway()
        .routes()
        .getFirst()
        .cache();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "    cache: false\n"})
  void nothingIsKeptUnlessTheRouteSaysSo(String keys) {
    assertThat(read(keys)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"    cache: true\n", "    cache: {}\n", "    cache: {shareByRole: false, compress: true, maxObject: 1MB}\n"})
  void theUsual(String keys) {
    assertThat(read(keys)).contains(CacheConfig.USUAL);
  }

  @Test
  void everyKey() {
    assertThat(
            read(
                """
                    cache: {default: 5m, maxAge: 1h, maxObject: 4MB, staleWhileRevalidate: 30s, staleIfError: 1d,
                      shareByRole: [manager, editor], keyHeaders: [X-Tenant, Accept-Language], passFields: [HX-Request], ignoreQuery: [utm_source],
                      ignoreCookies: true, tags: Surrogate-Key, compress: false}
                """))
        .contains(
            new CacheConfig(
                Optional.of(Duration.ofMinutes(5)), Optional.of(Duration.ofHours(1)), 4L << 20, Duration.ofSeconds(30),
                Duration.ofDays(1), new Sharing.ByRoles(List.of("manager", "editor")),
                new CacheConfig.Request(
                    Set.of("x-tenant", "accept-language"), Set.of("hx-request"), Set.of("utm_source"), true),
                Optional.of("surrogate-key"), false));
    assertThat(read("    cache: {shareByRole: true}\n").orElseThrow().sharing()).isEqualTo(new Sharing.ByRule());
  }

  @Test
  void theNodesMemory() {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    assertThat(folder.load().node().gateway().cacheMemory()).isEqualTo(GatewayNodeConfig.USUAL_CACHE);
    assertThat(folder.node("cache: {memory: 1GB}\n").load().node().gateway().cacheMemory()).isEqualTo(1L << 30);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          cache: maybe                       | neither true nor false
          cache: {default: 0s}               | out of range
          cache: {maxObject: 1GB}            | out of range
          cache: {staleIfError: soon}        | not a duration
          cache: {shareByRole: []}           | names no role
          cache: {keyHeaders: [Cookie]}      | cannot be part of a key
          cache: {keyHeaders: [Accept-Encoding]} | cannot be part of a key
          cache: {passFields: [If-Range]}    | never reaches the app as it is
          cache: {passFields: ["X:"]}        | not the name of a field
          cache: {keyHeaders: ["X Y"]}       | not the name of a field
          cache: {tags: "a b"}               | not the name of a field
          cache: {maxage: 1h}                | not a known key
          """)
  void mistakes(String key, String message) {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path).demo(UPSTREAM, UPSTREAM + "    " + key + "\n");
    assertThatThrownBy(() -> folder.files().load())
        .isInstanceOfSatisfying(
            ConfigurationInvalid.class, e -> assertThat(e.problems().toString()).contains(message));
  }
}
