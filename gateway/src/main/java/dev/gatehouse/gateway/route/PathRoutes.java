package dev.gatehouse.gateway.route;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The routes of one host, by prefix and method. */
public final class PathRoutes {

  /** The result of the search for a route. */
  public sealed interface Match {
    record Found(Route route) implements Match {}

    /**
     * The path has routes, but none for the method.
     *
     * @param routes never empty; each names its methods
     */
    record NoMethod(List<Route> routes) implements Match {
      public NoMethod {
        routes = List.copyOf(routes);
      }
    }

    record None() implements Match {}

    /** The literal path leads to one route, and the path as some apps read it to another one. */
    record Ambiguous() implements Match {}
  }

  /** In a shape, stands for a literal segment; sorts before {@link #VARIABLE}. */
  static final char LITERAL = '0';

  /** In a shape, stands for a variable segment. */
  static final char VARIABLE = '1';

  private static final Match NONE = new Match.None();
  private static final Match AMBIGUOUS = new Match.Ambiguous();

  private final Prefixes<MethodRoutes> exact = new Prefixes<>();
  private final Prefixes<Set<MethodRoutes>> readLoosely = new Prefixes<>();
  private final Map<String, MethodRoutes> byPattern = new HashMap<>();

  /** The literal segments of all prefixes, by their position. */
  private final List<TreeSet<String>> names = new ArrayList<>();

  private boolean lowerCaseOnly = true;

  /** Whether a route stores responses without regard to some parameters. */
  private boolean ignoresParameters;

  /**
   * Adds a route while a table is built; if another route already has its path and method, returns that one and changes
   * nothing.
   */
  Optional<Route> add(Route route) {
    ignoresParameters |= route.cache().filter(scope -> !scope.config().request().ignoreQuery().isEmpty()).isPresent();
    Template template = route.template();
    String plain = template.pattern().replaceAll("\\{[^/]*}", "{}");
    MethodRoutes known = byPattern.get(plain);
    if (known != null) {
      return known.add(route);
    }
    MethodRoutes place = new MethodRoutes();
    byPattern.put(plain, place);
    exact.put(template, template.pattern(), place, (first, second) -> first);
    List<String> segments = LooseReading.segments(plain, Integer.MAX_VALUE);
    String folded = LooseReading.of(segments).orElse(plain);
    readLoosely.put(template, folded, Set.of(place), PathRoutes::union);
    lowerCaseOnly &= folded.equals(plain);
    for (int i = 0; i < segments.size(); i++) {
      if (names.size() == i) {
        names.add(new TreeSet<>());
      }
      if (template.shape().charAt(i) == LITERAL) {
        names.get(i).add(LooseReading.stem(segments.get(i)));
      }
    }
    return place.add(route);
  }

  private static Set<MethodRoutes> union(Set<MethodRoutes> some, Set<MethodRoutes> more) {
    Set<MethodRoutes> all = new HashSet<>(some);
    all.addAll(more);
    return all;
  }

  /**
   * Finds the route for that method with the longest prefix that ends at a segment boundary of the path. The result is
   * ambiguous if an app may find another route or another value of a variable: because it ignores {@code ;parameters}
   * (servlet containers), letter case, dots or spaces at the end of a name, or resolves short names (Windows). A rule
   * must not depend on how the app reads the path.
   */
  public Match find(RequestPath path, String method) {
    MethodRoutes found = exact.longest(path.value());
    if (path.simple()) {
      boolean alike = lowerCaseOnly || isAlike(found, path.value());
      return !alike ? AMBIGUOUS : found == null ? NONE : match(found, method);
    }
    String seen = path.withoutParameters();
    if (seen != path.value() && (exact.longest(seen) != found || !sameVariables(found, path))) {
      return AMBIGUOUS;
    }
    if (!LooseReading.isPlain(seen)) {
      List<String> segments = LooseReading.segments(seen, names.size());
      Optional<String> loose = LooseReading.of(segments);
      if (loose.isEmpty() || !isAlike(found, loose.get()) || hidesAnother(found, segments)) {
        return AMBIGUOUS;
      }
    } else {
      String folded = seen.toLowerCase(Locale.ROOT);
      if ((folded != seen || !lowerCaseOnly) && !isAlike(found, folded)) {
        return AMBIGUOUS;
      }
    }
    return found == null ? NONE : match(found, method);
  }

  /**
   * The part of a query by which responses to GET at that path are stored.
   *
   * @param query with its question mark; empty if there is none
   */
  public String keyed(String path, String query) {
    MethodRoutes found = ignoresParameters && !query.isEmpty() ? exact.longest(path) : null;
    Route route = found == null ? null : found.of("GET");
    return route == null ? query : route.cache().map(scope -> scope.keyed(query)).orElse(query);
  }

  private boolean isAlike(@Nullable MethodRoutes found, String folded) {
    Set<MethodRoutes> alike = readLoosely.longest(folded);
    return found == null ? alike == null : alike != null && alike.contains(found);
  }

  /**
   * Returns whether a segment that does not match the route's own literally may stand for another segment, or for another value
   * of a variable.
   */
  private boolean hidesAnother(@Nullable MethodRoutes found, List<String> segments) {
    String shape = found == null ? "" : found.routes().getFirst().template().shape();
    for (int i = 0; i < Math.min(segments.size(), names.size()); i++) {
      boolean covered = i < shape.length();
      boolean literal = covered && shape.charAt(i) == LITERAL;
      if (!literal
          && (covered && (LooseReading.hasTail(segments.get(i)) || LooseReading.isPlus(segments.get(i)))
              || LooseReading.isShortNameOfOne(segments.get(i), names.get(i)))) {
        return true;
      }
    }
    return false;
  }

  private static Match match(MethodRoutes place, String method) {
    Route route = place.of(method);
    return route == null ? new Match.NoMethod(place.routes()) : route.found();
  }

  private static boolean sameVariables(@Nullable MethodRoutes found, RequestPath path) {
    if (found == null) {
      return true;
    }
    Template template = found.routes().getFirst().template();
    return template.isPlain() || template.covered(path.value()).equals(template.covered(path.withoutParameters()));
  }
}
