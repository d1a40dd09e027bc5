package dev.gatehouse.common.realm.yaml;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads {@code path} of a route: a prefix in which whole segments may be variables, {@code /accounts/{account}/}. */
public final class PathTemplate {

  /** Bounds the work for one request, whatever is configured. */
  private static final int MAX_VARIABLES = 4;

  private static final Pattern VARIABLE = Pattern.compile("\\{([a-z][A-Za-z0-9]{0,29})}");
  private static final Pattern LITERAL = Pattern.compile("[A-Za-z0-9._~!$&'()*+,=:@-]*");

  private PathTemplate() {}

  public static Optional<String> read(YamlValue value) {
    String path = value.text();
    if (!path.startsWith("/") || path.contains("//")) {
      return notPlain(value);
    }
    List<String> names = new ArrayList<>();
    for (String segment : path.split("/")) {
      if (segment.equals(".") || segment.equals("..")) {
        return value.wrong(value.shown() + " has a dot segment", "write the path that remains without it");
      }
      if (VARIABLE.matcher(segment).matches()) {
        names.add(segment);
      } else if (segment.contains("{") || segment.contains("}")) {
        return value.wrong(
            value.shown() + " has a segment that is no variable",
            "a variable is a whole segment: {name}, letters and digits, a small letter first");
      } else if (!LITERAL.matcher(segment).matches()) {
        return notPlain(value);
      }
    }
    if (names.size() > new HashSet<>(names).size()) {
      return value.wrong(value.shown() + " has one variable twice", "give each segment a name of its own");
    }
    if (names.size() > MAX_VARIABLES) {
      return value.wrong(value.shown() + " has more than " + MAX_VARIABLES + " variables", "write fewer of them");
    }
    if ((path + "/").startsWith("/.gatehouse/")) {
      return value.wrong(value.shown() + " belongs to Gatehouse", "choose a path outside /.gatehouse/");
    }
    return Optional.of(path);
  }

  private static Optional<String> notPlain(YamlValue value) {
    return value.wrong(
        value.shown() + " is not a plain path",
        "begin with a slash; no empty segment, no query, nothing encoded, no semicolon or backslash");
  }

  /** Returns the names of its variables. */
  public static Set<String> variables(String path) {
    Set<String> names = new HashSet<>();
    Stream.of(path.split("/")).map(VARIABLE::matcher).filter(m -> m.matches()).forEach(m -> names.add(m.group(1)));
    return names;
  }

  /** Returns an equal text for paths that differ only in the names of their variables and the last slash. */
  public static String place(String path) {
    return VARIABLE.matcher(path).replaceAll("{}").replaceFirst("/$", "");
  }

  /** Returns the variables of all routes, including those that later turn out wrong; reports nothing. @param pathKey the key of their paths */
  public static Set<String> variablesOfAll(List<YamlSection> routes, Key<String> pathKey) {
    Set<String> all = new HashSet<>();
    routes.forEach(route -> route.peek(pathKey).ifPresent(path -> all.addAll(variables(path))));
    return all;
  }
}
