package dev.gatehouse.common.revision;

import dev.gatehouse.common.realm.file.ConfigurationSchema;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlTree.Scalar;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Masks the secrets that a realm's file holds itself; references to variables of the environment stay. */
public final class SecretText {

  private static final String MASK = '"' + Type.SECRET_MASK + '"';

  /** In comments, anything after the name of a secret key, or a literal of a login form: it may have been a value. */
  private static final Pattern COMMENT =
      Pattern.compile("(?m)^([^#\\n]*#.*?(?:\\b(?:" + names() + ")[\"']?\\s*:|literal:))(?!\\s*\\$\\{\\w+}\\s*$).*$");

  /** What is before the text of a line that is a comment. */
  private static final Pattern COMMENT_LINE = Pattern.compile("[ \\t]*#+[ \\t]*(?:-[ \\t]+)*");

  private static final String UNREADABLE = "# This file is not YAML, so that its secrets are not known.\n";

  private SecretText() {}

  /** Returns the content of a realm's file without its secrets. */
  public static String masked(String text) {
    return masked(text, DeclaredValues.read(text));
  }

  /** @param values those of the text; empty if it is not YAML */
  static String masked(String text, Optional<List<DeclaredValue>> values) {
    if (values.isEmpty() && !text.lines().allMatch(line -> line.isBlank() || line.startsWith("#"))) {
      return UNREADABLE;
    }
    StringBuilder masked = new StringBuilder(text);
    List<Scalar> secrets =
        values.stream()
            .flatMap(List::stream)
            .filter(DeclaredValue::isSecret)
            .flatMap(value -> value.scalars().stream())
            .sorted(Comparator.comparingInt(Scalar::from).reversed())
            .toList();
    // From the last to the first, so that the places of the others stay true; they count code points.
    for (Scalar secret : secrets) {
      int from = text.offsetByCodePoints(0, secret.from());
      int to = text.offsetByCodePoints(from, secret.to() - secret.from());
      boolean block = to > from && text.charAt(to - 1) == '\n';
      masked.replace(from, to, block ? MASK + "\n" : MASK);
    }
    return withoutComments(masked.toString());
  }

  /** Masks in comments, too, what follows a secret's key and is indented further: the value may have had several lines. */
  private static String withoutComments(String text) {
    StringBuilder masked = new StringBuilder();
    int key = Integer.MAX_VALUE;
    for (String line : text.split("(?<=\n)", -1)) {
      Matcher start = COMMENT_LINE.matcher(line);
      int column = start.lookingAt() ? start.end() : -1;
      Matcher secret = COMMENT.matcher(line);
      if (column > key) {
        masked.append(line, 0, column).append(line.endsWith("\n") ? "***\n" : "***");
      } else if (secret.find()) {
        masked.append(secret.replaceAll("$1 ***"));
        key = column < 0 ? Integer.MAX_VALUE : column;
      } else {
        masked.append(line);
        key = line.replace('#', ' ').isBlank() ? key : Integer.MAX_VALUE;
      }
    }
    return masked.toString();
  }

  private static String names() {
    Set<String> names = new HashSet<>();
    collect(ConfigurationSchema.REALM.keys(), names, Collections.newSetFromMap(new IdentityHashMap<>()));
    return names.stream().sorted().map(Pattern::quote).collect(Collectors.joining("|"));
  }

  private static void collect(Section section, Set<String> names, Set<Section> seen) {
    if (seen.add(section)) {
      for (Key<?> key : section.keys()) {
        if (key.isSecret()) {
          names.add(key.name());
        }
        key.subsection().ifPresent(below -> collect(below, names, seen));
      }
    }
  }
}
