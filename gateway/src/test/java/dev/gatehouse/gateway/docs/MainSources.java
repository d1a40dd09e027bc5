package dev.gatehouse.gateway.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The main sources of a module, for tests that compare pages with what the code declares. */
final class MainSources {

  private static final Pattern CONSTANT = Pattern.compile("\\bString ([A-Z_]+) =\\s*([^;]+);");

  private final SortedMap<String, String> files = new TreeMap<>();
  private final Map<String, String> constants = new HashMap<>();

  private MainSources() {}

  static MainSources of(String... modules) {
    MainSources sources = new MainSources();
    for (String module : modules) {
      sources.read(Path.of("..", module, "src/main/java"));
    }
    return sources;
  }

  private void read(Path folder) {
    try (Stream<Path> found = Files.walk(folder)) {
      for (Path file : found.filter(path -> path.toString().endsWith(".java")).toList()) {
        String text = Files.readString(file);
        files.put(file.toString(), text);
        Matcher constant = CONSTANT.matcher(text);
        while (constant.find()) {
          constants.putIfAbsent(type(file.toString()) + "." + constant.group(1), constant.group(2));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Path and text of each file. */
  SortedMap<String, String> files() {
    return files;
  }

  /** The text of the only file of that name. */
  String file(String name) {
    return files.entrySet().stream()
        .filter(file -> file.getKey().endsWith("/" + name))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElseThrow(() -> new AssertionError("there is no " + name));
  }

  static String type(String file) {
    return file.substring(file.lastIndexOf('/') + 1).replace(".java", "");
  }

  /** The value of literals and constants with plus signs between; empty where one of them is neither. */
  Optional<String> value(String expression, String type) {
    StringBuilder value = new StringBuilder();
    for (String part : expression.split("\\+", -1)) {
      Optional<String> text = term(part.strip(), type);
      if (text.isEmpty()) {
        return Optional.empty();
      }
      value.append(text.get());
    }
    return Optional.of(value.toString());
  }

  private Optional<String> term(String term, String type) {
    if (term.startsWith("\"") && term.endsWith("\"") && term.length() > 1) {
      return Optional.of(term.substring(1, term.length() - 1));
    }
    int dot = term.lastIndexOf('.');
    String owner = dot < 0 ? type : term.substring(0, dot);
    String name = owner + "." + term.substring(dot + 1);
    return Optional.ofNullable(constants.get(name)).flatMap(expression -> value(expression, owner));
  }
}
