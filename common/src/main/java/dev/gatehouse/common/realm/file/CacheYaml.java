package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.CacheConfig;
import dev.gatehouse.common.realm.CacheConfig.Sharing;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Reads {@code cache} of a route: {@code true}, or a section of settings. */
final class CacheYaml {

  private static final Type<String> FIELD_NAME = Type.matching("field", "^[A-Za-z0-9][A-Za-z0-9-]*$", CacheYaml::fieldName);

  /** Fields that cannot be part of a key: everything or nothing depends on them, or the app never receives the client's. */
  private static final Set<String> NO_KEYS =
      Set.of(
          "cookie", "authorization", "dpop", "host", "range", "if-range", "if-match", "if-none-match",
          "if-modified-since", "if-unmodified-since", "cache-control", "pragma", "accept-encoding", "connection",
          "keep-alive", "te", "trailer", "upgrade", "transfer-encoding", "content-length", "expect", "via", "forwarded",
          "x-forwarded-for", "x-forwarded-host", "x-forwarded-port", "x-forwarded-proto");

  static final Section KEYS = new Section();
  private static final Key<Duration> DEFAULT =
      KEYS.key(
          "default", Type.duration("1s", "365d"), "e.g. 5m",
          "Freshness lifetime of responses without caching directives; such responses are not stored unless configured.");
  private static final Key<Duration> MAX_AGE =
      KEYS.key("maxAge", Type.duration("1s", "365d"), "e.g. 1h", "Maximum freshness lifetime of a response.");
  private static final Key<Long> MAX_OBJECT =
      KEYS.key("maxObject", Type.size(1, 64 << 10), "1MB", "The largest body that is stored.");
  private static final Key<Duration> REVALIDATE =
      KEYS.key(
          "staleWhileRevalidate", Type.duration("0s", "365d"), "0s",
          "Time for which a stale response is served while the app is asked; the app's own directive takes precedence.");
  private static final Key<Duration> IF_ERROR =
      KEYS.key(
          "staleIfError", Type.duration("0s", "365d"), "0s",
          "Time for which a stale response is served if the app fails; the app's own directive takes precedence.");
  private static final Key<YamlValue> SHARE_BY_ROLE =
      KEYS.list(
          "shareByRole", Type.text("`true`, or roles", Optional::of), "[]",
          "`true`: responses with public or `s-maxage` are shared among people with the same roles of the rule; or the roles by "
              + "which responses differ.");
  private static final Key<String> KEY_HEADERS =
      KEYS.list(
          "keyHeaders", notReserved("cannot be part of a key", "remove it: answers that depend on it are not kept"), "[]",
          "Fields of requests that are part of the key.");
  private static final Key<String> PASS_FIELDS =
      KEYS.list(
          "passFields", notReserved("never reaches the app as it is", "remove it"), "[]",
          "Request fields that the app gets besides the usual ones; all others are left out. A response to a request with such "
              + "a field is stored only if Vary or `keyHeaders` names the field.");
  private static final Key<String> IGNORE_QUERY =
      KEYS.list(
          "ignoreQuery", Type.TEXT, "[]", "Parameters that are neither part of the key nor sent to the app, e.g. `[utm_source]`.");
  private static final Key<Boolean> IGNORE_COOKIES =
      KEYS.key("ignoreCookies", Type.BOOL, "false",
          "Whether the app's own cookies are removed from requests, so that they do not prevent storage.");
  private static final Key<String> TAGS =
      KEYS.key("tags", FIELD_NAME, "e.g. Surrogate-Key", "The field of responses that names tags to purge by.");
  private static final Key<Boolean> COMPRESS = KEYS.key("compress", Type.BOOL, "true", "Whether texts are stored in gzip, too.");

  private CacheYaml() {}

  static Optional<CacheConfig> read(YamlSection route) {
    if (!route.isMapping(RouteKeys.CACHE)) {
      return Optional.of(CacheConfig.USUAL).filter(usual -> route.get(RouteKeys.CACHE));
    }
    return route.section(RouteKeys.CACHE).map(CacheYaml::config);
  }

  private static CacheConfig config(YamlSection cache) {
    return new CacheConfig(
        cache.find(DEFAULT), cache.find(MAX_AGE), cache.get(MAX_OBJECT), cache.get(REVALIDATE), cache.get(IF_ERROR),
        sharing(cache),
        new CacheConfig.Request(
            new LinkedHashSet<>(cache.all(KEY_HEADERS)), new LinkedHashSet<>(cache.all(PASS_FIELDS)),
            new HashSet<>(cache.all(IGNORE_QUERY)), cache.get(IGNORE_COOKIES)),
        cache.find(TAGS), cache.get(COMPRESS));
  }

  private static Sharing sharing(YamlSection cache) {
    List<YamlValue> values = cache.all(SHARE_BY_ROLE);
    if (values.size() == 1 && (values.getFirst().text().equals("true") || values.getFirst().text().equals("false"))) {
      return values.getFirst().text().equals("true") ? new Sharing.ByRule() : new Sharing.None();
    }
    List<String> roles = values.stream().flatMap(v -> v.name().stream()).distinct().toList();
    if (cache.has(SHARE_BY_ROLE) && cache.isEmpty(SHARE_BY_ROLE)) {
      cache.problem(SHARE_BY_ROLE, "names no role", "write true, or the roles by which responses differ");
    }
    return roles.isEmpty() ? new Sharing.None() : new Sharing.ByRoles(roles);
  }

  private static Type<String> notReserved(String wrong, String right) {
    return FIELD_NAME.then(
        "field", (v, name) -> NO_KEYS.contains(name) ? v.wrong(v.shown() + " " + wrong, right) : Optional.of(name));
  }

  private static Optional<String> fieldName(YamlValue value) {
    return value.text().matches("[A-Za-z0-9][A-Za-z0-9-]*")
        ? Optional.of(value.text().toLowerCase(Locale.ROOT))
        : value.wrong(value.shown() + " is not the name of a field", "use letters, digits and hyphens");
  }
}
