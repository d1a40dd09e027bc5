package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.RewriteConfig;
import dev.gatehouse.common.realm.RewriteConfig.Paths;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads {@code rewrite} of a route. */
final class RewriteYaml {

  private final YamlSection rewrite;
  private final Optional<String> path;

  /** @param path of the route */
  RewriteYaml(YamlSection route, Optional<String> path) {
    this.rewrite = route.sectionOrEmpty("rewrite");
    this.path = path;
  }

  RewriteConfig read() {
    boolean strip = rewrite.read("stripPrefix", false, YamlValue::bool);
    Optional<YamlSection> section = rewrite.section("path");
    if (strip && section.isPresent()) {
      rewrite.problem("path", "stands beside stripPrefix", "keep one of them: stripPrefix replaces the route's path by /");
    }
    Optional<Paths> paths = section.isPresent() ? section.flatMap(this::paths) : strip ? stripped() : Optional.empty();
    return new RewriteConfig(
        paths, rewrite.read("links", true, YamlValue::bool), rewrite.read("cookies", true, YamlValue::bool));
  }

  private Optional<Paths> stripped() {
    if (path.filter(p -> p.contains("{")).isPresent()) {
      rewrite.problem("stripPrefix", "has no use where the path has variables", "write path: {from: ..., to: ...}");
      return Optional.empty();
    }
    return path.map(p -> new Paths(closed(p), "/"));
  }

  private Optional<Paths> paths(YamlSection section) {
    Optional<String> from = section.required("from", RewriteYaml::plain, "write what the route's path begins with");
    Optional<String> to = section.required("to", RewriteYaml::plain, "write what the app's paths begin with, like /");
    if (from.isPresent() && path.isPresent() && !closed(path.get()).startsWith(from.get())) {
      section.problem("from", "`" + from.get() + "` is not what the route's path begins with", "write " + closed(path.get()));
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
