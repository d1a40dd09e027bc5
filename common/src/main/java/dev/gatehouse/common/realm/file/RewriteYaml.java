package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.RewriteConfig;
import dev.gatehouse.common.realm.RewriteConfig.Paths;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads {@code rewrite} of a route. */
final class RewriteYaml {

  private static final Type<String> PLAIN = Type.matching("path", "^/", RewriteYaml::plain);

  private static final Section PATH = new Section();
  private static final Key<String> FROM =
      PATH.required("from", PLAIN, "/app/", "write what the route's path begins with", "The beginning of the route's path.");
  private static final Key<String> TO =
      PATH.required("to", PLAIN, "/base/", "write what the app's paths begin with, like /", "The beginning of the app's paths.");

  static final Section KEYS = new Section();
  private static final Key<Boolean> STRIP =
      KEYS.key("stripPrefix", Type.BOOL, "false", "Whether the app gets the path without the route's path.");
  private static final Key<Void> PATHS = KEYS.section("path", PATH, "Another path for the app, in place of `stripPrefix`.");
  private static final Key<Boolean> LINKS =
      KEYS.key("links", Type.BOOL, "true",
          "Whether Location, Content-Location and Refresh are rewritten to the paths that clients use.");
  private static final Key<Boolean> COOKIES =
      KEYS.key("cookies", Type.BOOL, "true",
          "Whether the Path of the app's cookies is rewritten and their Domain removed, if the paths differ.");

  private final YamlSection rewrite;
  private final Optional<String> path;

  /** @param path of the route */
  RewriteYaml(YamlSection route, Optional<String> path) {
    this.rewrite = route.sectionOrEmpty(RouteKeys.REWRITE);
    this.path = path;
  }

  RewriteConfig read() {
    boolean strip = rewrite.get(STRIP);
    Optional<YamlSection> section = rewrite.section(PATHS);
    if (strip && section.isPresent()) {
      rewrite.problem(PATHS, "stands beside stripPrefix", "keep one of them: stripPrefix replaces the route's path by /");
    }
    Optional<Paths> paths = section.isPresent() ? section.flatMap(this::paths) : strip ? stripped() : Optional.empty();
    return new RewriteConfig(
        paths, rewrite.get(LINKS), rewrite.get(COOKIES));
  }

  private Optional<Paths> stripped() {
    if (path.filter(p -> p.contains("{")).isPresent()) {
      rewrite.problem(STRIP, "has no effect on a path with variables", "write path: {from: ..., to: ...}");
      return Optional.empty();
    }
    return path.map(p -> new Paths(closed(p), "/"));
  }

  private Optional<Paths> paths(YamlSection section) {
    Optional<String> from = section.find(FROM);
    Optional<String> to = section.find(TO);
    if (from.isPresent() && path.isPresent() && !closed(path.get()).startsWith(from.get())) {
      section.problem(FROM, "`" + from.get() + "` is not what the route's path begins with", "write " + closed(path.get()));
      return Optional.empty();
    }
    return from.flatMap(f -> to.map(t -> new Paths(f, t)));
  }

  /** Reads a plain path and adds a slash at its end. */
  private static Optional<String> plain(YamlValue value) {
    String text = value.text();
    boolean wrong =
        !text.matches("/[A-Za-z0-9._~!$&'()*+,=:@/-]*")
            || text.contains("//")
            || Stream.of(text.split("/")).anyMatch(segment -> segment.equals(".") || segment.equals(".."));
    return wrong
        ? value.wrong(value.shown() + " is not a plain path", "begin with a slash; no dot segment, nothing encoded")
        : Optional.of(closed(text));
  }

  private static String closed(String path) {
    return path.endsWith("/") ? path : path + "/";
  }
}
