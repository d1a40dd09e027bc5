package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.CacheConfig;
import dev.gatehouse.common.realm.CacheConfig.Sharing;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Reads {@code cache} of a route: {@code true}, or a section of settings. */
final class CacheYaml {

  private static final Duration YEAR = Duration.ofDays(365);
  private static final String FIELD_NAME = "[A-Za-z0-9][A-Za-z0-9-]*";

  /** Fields that cannot be part of a key: everything or nothing depends on them, or the app never receives the client's. */
  private static final Set<String> NO_KEYS =
      Set.of(
          "cookie", "authorization", "dpop", "host", "range", "if-range", "if-match", "if-none-match",
          "if-modified-since", "if-unmodified-since", "cache-control", "pragma", "accept-encoding", "connection",
          "keep-alive", "te", "trailer", "upgrade", "transfer-encoding", "content-length", "expect", "via", "forwarded",
          "x-forwarded-for", "x-forwarded-host", "x-forwarded-port", "x-forwarded-proto");

  private final YamlSection route;

  CacheYaml(YamlSection route) {
    this.route = route;
  }

  Optional<CacheConfig> read() {
    if (route.isScalar("cache")) {
      return route.value("cache").flatMap(YamlValue::bool).filter(on -> on).map(on -> CacheConfig.USUAL);
    }
    return route.section("cache").map(CacheYaml::read);
  }

  private static CacheConfig read(YamlSection cache) {
    return new CacheConfig(
        cache.value("default").flatMap(v -> v.duration(Duration.ofSeconds(1), YEAR)),
        cache.value("maxAge").flatMap(v -> v.duration(Duration.ofSeconds(1), YEAR)),
        cache.read("maxObject", CacheConfig.USUAL_OBJECT, v -> v.size(1L << 10, 64L << 20)),
        cache.read("staleWhileRevalidate", Duration.ZERO, v -> v.duration(Duration.ZERO, YEAR)),
        cache.read("staleIfError", Duration.ZERO, v -> v.duration(Duration.ZERO, YEAR)),
        sharing(cache),
        request(cache),
        cache.value("tags").flatMap(CacheYaml::fieldName),
        cache.read("compress", true, YamlValue::bool));
  }

  private static CacheConfig.Request request(YamlSection cache) {
    return new CacheConfig.Request(
        names(cache, "keyHeaders", "cannot be part of a key", "remove it: answers that depend on it are not kept"),
        names(cache, "passFields", "never reaches the app as it is", "remove it"),
        new HashSet<>(cache.values("ignoreQuery").stream().flatMap(v -> v.string().stream()).toList()),
        cache.read("ignoreCookies", false, YamlValue::bool));
  }

  private static Sharing sharing(YamlSection cache) {
    List<YamlValue> values = cache.values("shareByRole");
    if (values.size() == 1 && (values.getFirst().text().equals("true") || values.getFirst().text().equals("false"))) {
      return values.getFirst().text().equals("true") ? new Sharing.ByRule() : new Sharing.None();
    }
    List<String> roles = values.stream().flatMap(v -> v.name().stream()).distinct().toList();
    if (cache.has("shareByRole") && values.isEmpty()) {
      cache.problem("shareByRole", "names no role", "write true, or the roles by which answers differ");
    }
    return roles.isEmpty() ? new Sharing.None() : new Sharing.ByRoles(roles);
  }

  private static Set<String> names(YamlSection cache, String key, String wrong, String right) {
    Set<String> names = new LinkedHashSet<>();
    for (YamlValue value : cache.values(key)) {
      Optional<String> name = fieldName(value);
      if (name.isPresent() && NO_KEYS.contains(name.get())) {
        value.wrong(value.shown() + " " + wrong, right);
      } else {
        name.ifPresent(names::add);
      }
    }
    return names;
  }

  private static Optional<String> fieldName(YamlValue value) {
    return value.text().matches(FIELD_NAME)
        ? Optional.of(value.text().toLowerCase(Locale.ROOT))
        : value.wrong(value.shown() + " is not the name of a field", "use letters, digits and hyphens");
  }
}
