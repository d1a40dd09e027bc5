package dev.gatehouse.gateway.route;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The routes of one host, by prefix. */
public final class PathRoutes {

  /** What a path leads to. */
  public sealed interface Match {
    record Found(Route route) implements Match {}

    record None() implements Match {}

    /** One route by the letter, another one as some apps read the path. */
    record Ambiguous() implements Match {}
  }

  private static final Match NONE = new Match.None();
  private static final Match AMBIGUOUS = new Match.Ambiguous();

  private final Map<String, Route> exact;
  private final Map<String, Set<Route>> inAnyCase = new HashMap<>();
  private final boolean lowerCaseOnly;

  /** @param routes by prefix */
  public PathRoutes(Map<String, Route> routes) {
    this.exact = Map.copyOf(routes);
    exact.forEach(
        (prefix, route) ->
            inAnyCase.computeIfAbsent(prefix.toLowerCase(Locale.ROOT), p -> new HashSet<>()).add(route));
    this.lowerCaseOnly = inAnyCase.keySet().equals(exact.keySet());
  }

  /**
   * The route with the longest prefix that ends where a segment of the path ends. Ambiguous where a reader would find
   * another one who does not see {@code ;parameters} (servlet containers), or no difference between capital and small
   * letters (Windows): a rule must not depend on how the app reads.
   */
  public Match find(RequestPath path) {
    Optional<Route> found = longest(path.value(), exact::get);
    String seen = path.withoutParameters();
    if (seen != path.value() && !longest(seen, exact::get).equals(found)) {
      return AMBIGUOUS;
    }
    String folded = seen.toLowerCase(Locale.ROOT);
    if (folded != seen || !lowerCaseOnly) {
      Optional<Set<Route>> alike = longest(folded, inAnyCase::get);
      boolean same = found.isPresent() ? alike.isPresent() && alike.get().contains(found.get()) : alike.isEmpty();
      if (!same) {
        return AMBIGUOUS;
      }
    }
    return found.<Match>map(Match.Found::new).orElse(NONE);
  }

  /** Costs one look-up a segment. */
  private static <T> Optional<T> longest(String path, Function<String, @Nullable T> byPrefix) {
    int end = path.endsWith("/") ? path.length() - 1 : path.length();
    while (true) {
      T match = byPrefix.apply(path.substring(0, end));
      if (match != null) {
        return Optional.of(match);
      }
      if (end == 0) {
        return Optional.empty();
      }
      end = path.lastIndexOf('/', end - 1);
    }
  }
}
