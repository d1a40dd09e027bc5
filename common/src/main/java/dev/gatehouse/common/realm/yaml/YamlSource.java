package dev.gatehouse.common.realm.yaml;

import dev.gatehouse.common.realm.Problem;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One configuration file while it is read: the source of values and the collection of problems. */
public final class YamlSource {

  /** {@code ${NAME}}; {@code $${NAME}} is the text {@code ${NAME}} itself. */
  private static final Pattern VARIABLE = Pattern.compile("(\\$?)\\$\\{([^}]*)}");

  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private static final Pattern SECRET = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

  /** The folder of named secrets, beside {@code gatehouse.yaml}. */
  public static final String SECRETS = "secrets";

  private static final String REALMS = "realms";

  private final Path file;
  private final Map<String, String> environment;
  private final Supplier<Map<String, Set<String>>> places;
  private final NamedFiles files;
  private final List<Problem> problems = new ArrayList<>();
  private final Set<String> filledIn = new HashSet<>();
  private final List<Reached> reached = new ArrayList<>();

  /**
   * Creates a source of one file.
   *
   * @param environment the variables for {@code ${NAME}}
   * @param places the places of every key by its name, for hints; computed at the first mistake
   */
  public YamlSource(Path file, Map<String, String> environment, Supplier<Map<String, Set<String>>> places) {
    this(file, environment, places, new NamedFiles());
  }

  /** Creates a source of one file that is, with those that it names, not on disk. */
  public YamlSource(
      Path file, Map<String, String> environment, Supplier<Map<String, Set<String>>> places, NamedFiles files) {
    this.file = file;
    this.environment = environment;
    this.places = places;
    this.files = files;
  }

  public Map<String, Set<String>> places() {
    return places.get();
  }

  public Path file() {
    return file;
  }

  public NamedFiles files() {
    return files;
  }

  public List<Problem> problems() {
    return problems;
  }

  /** Records a problem; once, even if the key is read several times. */
  public void problem(int line, String key, String message, String remedy) {
    Problem problem = new Problem(file, line, key, message, remedy);
    if (!problems.contains(problem)) {
      problems.add(problem);
    }
  }

  /** Returns the values of variables that were filled in; they must be removed from any configuration that is shown. */
  public Set<String> filledIn() {
    return filledIn;
  }

  /** Returns the hosts and URLs that were read. */
  public List<Reached> reached() {
    return reached;
  }

  /** Resolves a path of the configuration: relative ones are relative to this file. */
  public Path resolve(String path) {
    return file.toAbsolutePath().resolveSibling(path).normalize();
  }

  /**
   * Returns the file of a named secret, {@code secrets/NAME} beside {@code gatehouse.yaml}; empty, with a problem, if it cannot be
   * read.
   */
  Optional<Path> secret(int line, String key, String name) {
    if (!isSecretName(name)) {
      problem(line, key, "names a secret by other characters than letters, digits, dots, hyphens and _", "write {secret: NAME}");
      return Optional.empty();
    }
    Path path = secretFile(name);
    if (files.readSecret(path).isEmpty()) {
      String remedy =
          files.isRevision()
              ? "store it: PUT /admin/v1/secrets/" + name
              : "write it into the file " + path + ", readable for this user and at most 1 MB";
      problem(line, key, "there is no secret " + name, remedy);
      return Optional.empty();
    }
    return Optional.of(path);
  }

  /** Returns whether a secret may have that name. */
  public static boolean isSecretName(String name) {
    return SECRET.matcher(name).matches();
  }

  private Path secretFile(String name) {
    Path folder = file.toAbsolutePath().resolveSibling("").normalize();
    return (folder.endsWith(REALMS) ? folder.resolveSibling(SECRETS) : folder.resolve(SECRETS)).resolve(name);
  }

  /**
   * Returns the scalar with its variables filled in: {@code ${NAME}} is the environment variable NAME, or the content of the
   * file that NAME_FILE names (without its last line break). Empty, with a problem, if there is neither.
   */
  public Optional<String> fillIn(int line, String key, String raw) {
    Matcher variables = VARIABLE.matcher(raw);
    StringBuilder filled = new StringBuilder();
    boolean complete = true;
    while (variables.find()) {
      if (!variables.group(1).isEmpty()) {
        variables.appendReplacement(filled, Matcher.quoteReplacement("${" + variables.group(2) + "}"));
        continue;
      }
      Optional<String> value = variable(line, key, variables.group(2));
      complete &= value.isPresent();
      value.ifPresent(filledIn::add);
      variables.appendReplacement(filled, Matcher.quoteReplacement(value.orElse("")));
    }
    variables.appendTail(filled);
    return complete ? Optional.of(filled.toString()) : Optional.empty();
  }

  private Optional<String> variable(int line, String key, String name) {
    if (files.isRevision()) {
      String remedy = "write the value itself or, for a secret, {secret: NAME}; $${ is a plain ${";
      problem(line, key, "${…} would read the node's environment, which a revision in the database does not", remedy);
      return Optional.empty();
    }
    if (!NAME.matcher(name).matches()) {
      // The text is not repeated: it may be part of a password.
      problem(line, key, "${…} does not hold the name of an environment variable",
          "write ${NAME}, or $${ for a plain ${");
      return Optional.empty();
    }
    Optional<String> direct = Optional.ofNullable(environment.get(name));
    Optional<String> named = Optional.ofNullable(environment.get(name + "_FILE"));
    if (direct.isPresent() && named.isPresent()) {
      problem(line, key, name + " and " + name + "_FILE are both set in the environment", "set one of them only");
      return Optional.empty();
    }
    if (named.isPresent()) {
      return fromFile(line, key, name + "_FILE", resolve(named.get()));
    }
    if (direct.isEmpty()) {
      problem(
          line,
          key,
          "the environment has no " + name,
          "set " + name + ", or " + name + "_FILE to the path of a file that holds the value");
    }
    return direct;
  }

  private Optional<String> fromFile(int line, String key, String name, Path path) {
    Optional<String> content = files.readVariable(path).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
    if (content.isEmpty()) {
      problem(line, key, name + " names a file that cannot be read: " + path,
          "make it exist and readable for this user");
    }
    return content.map(text -> text.replaceFirst("\\R\\z", ""));
  }
}
