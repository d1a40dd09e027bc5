package dev.gatehouse.common.revision;

import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.common.realm.yaml.FileTree;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.NamedFiles;
import dev.gatehouse.common.realm.yaml.YamlSource;
import dev.gatehouse.common.realm.yaml.YamlTree.Scalar;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;

/** Rewrites realms' files for the database; see {@link ImportedFiles}. */
final class FileImport {

  private static final Pattern REFERENCE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)}");
  private static final int LONGEST_NAME = 100;

  private final ConfigurationFiles directory;
  private final Path root;
  private final NamedFiles named;
  private final Set<Path> known;
  private final SortedMap<String, byte[]> files = new TreeMap<>();
  private final SortedMap<String, byte[]> secrets = new TreeMap<>();
  private final Map<Path, String> moved = new HashMap<>();
  private final List<String> notes = new ArrayList<>();

  FileImport(ConfigurationFiles directory, NamedFiles named) {
    this.directory = directory;
    this.root = directory.directory().toAbsolutePath().normalize();
    this.named = named;
    this.known = new HashSet<>(named.paths());
    known.addAll(named.followed());
    for (Path file : named.paths()) {
      if (named.isSecret(file) && FileTree.isSecretPath(name(file))) {
        named.read(file).ifPresent(content -> secrets.put(String.valueOf(file.getFileName()), content));
      }
    }
    for (Path file : named.paths()) {
      FileTree.realm(name(file))
          .ifPresent(realm -> named.read(file).ifPresent(content -> realm(realm, file, new String(content, StandardCharsets.UTF_8))));
    }
  }

  SortedMap<String, byte[]> files() {
    return files;
  }

  SortedMap<String, byte[]> secrets() {
    return secrets;
  }

  Collection<String> notes() {
    return notes;
  }

  private String name(Path file) {
    return file.startsWith(root) ? root.relativize(file).toString() : file.toString();
  }

  /** A text in place of a scalar. */
  private record Replacement(Scalar scalar, String text) {}

  private void realm(String realm, Path file, String text) {
    YamlSource source = directory.source(file);
    List<Replacement> replacements = new ArrayList<>();
    for (DeclaredValue value : DeclaredValues.of(text)) {
      for (Scalar scalar : value.scalars()) {
        replacement(realm, source, value, scalar).ifPresent(by -> replacements.add(new Replacement(scalar, by)));
      }
    }
    replacements.sort(Comparator.comparingInt((Replacement r) -> r.scalar().from()).reversed());
    StringBuilder changed = new StringBuilder(text);
    // From the last to the first, so that the places of the others stay true; they count code points.
    for (Replacement replacement : replacements) {
      int from = text.offsetByCodePoints(0, replacement.scalar().from());
      int to = text.offsetByCodePoints(from, replacement.scalar().to() - replacement.scalar().from());
      boolean block = to > from && text.charAt(to - 1) == '\n';
      changed.replace(from, to, block ? replacement.text() + "\n" : replacement.text());
    }
    files.put(name(file), changed.toString().getBytes(StandardCharsets.UTF_8));
  }

  private Optional<String> replacement(String realm, YamlSource source, DeclaredValue value, Scalar scalar) {
    Optional<String> filled = source.fillIn(0, value.field(), scalar.text());
    if (filled.isEmpty() || filled.get().isEmpty()) {
      return Optional.empty();
    }
    boolean secret = value.key().filter(Key::isSecret).isPresent();
    if (secret) {
      return Optional.of(reference(secretName(realm, value, scalar), filled.get().getBytes(StandardCharsets.UTF_8)));
    }
    Path path = source.resolve(filled.get());
    if (known.contains(path) && !FileTree.realm(name(path)).isPresent()) {
      return file(realm, value, scalar, path, filled.get());
    }
    if (!scalar.text().equals(filled.get())) {
      notes.add(realm + ": " + value.field() + " was " + scalar.text() + ", and is its value now");
      return Optional.of(quoted(filled.get()));
    }
    return Optional.empty();
  }

  private Optional<String> file(String realm, DeclaredValue value, Scalar scalar, Path path, String filled) {
    Optional<byte[]> content = named.read(path);
    if (content.isEmpty()) {
      return Optional.empty();
    }
    if (value.key().filter(Key::isSecretFile).isPresent()) {
      return Optional.of(reference(owned(realm, String.valueOf(path.getFileName())), content.get()));
    }
    if (path.startsWith(root)) {
      files.put(name(path), content.get());
      return scalar.text().equals(filled) && !Path.of(filled).isAbsolute() ? Optional.empty() : Optional.of(quoted("../" + name(path)));
    }
    String inside = moved.computeIfAbsent(path, this::inside);
    files.put(inside, content.get());
    return Optional.of(quoted("../" + inside));
  }

  private String inside(Path path) {
    String wanted = "files/" + sanitized(String.valueOf(path.getFileName()));
    String free = wanted;
    for (int i = 2; files.containsKey(free) || known.contains(root.resolve(free)); i++) {
      free = wanted.replaceFirst("(\\.[^.]*)?$", "-" + i + "$1");
    }
    notes.add(path + " is " + free + " now");
    return free;
  }

  private static String secretName(String realm, DeclaredValue value, Scalar scalar) {
    Matcher variable = REFERENCE.matcher(scalar.text());
    return variable.matches()
        ? variable.group(1)
        : owned(realm, value.subject().name() + "." + value.field());
  }

  /** Returns a name that belongs to the realm, whatever the text: it must not be that of another realm's secret. */
  private static String owned(String realm, String text) {
    String name = sanitized(text);
    int most = LONGEST_NAME - realm.length() - 1;
    return realm + "." + name.substring(Math.max(0, name.length() - most));
  }

  private static String sanitized(String text) {
    return text.replaceAll("[^A-Za-z0-9._-]+", "-").replaceFirst("^[^A-Za-z0-9]+", "");
  }

  /** Keeps the secret under a free name, or that under which the same value is. */
  private String reference(String wanted, byte[] value) {
    String base = wanted.isEmpty() ? "secret" : wanted;
    String name = base;
    for (int i = 2; secrets.containsKey(name) && !Arrays.equals(secrets.get(name), value); i++) {
      name = base.substring(0, Math.min(base.length(), LONGEST_NAME - 4)) + "-" + i;
    }
    secrets.put(name, value);
    return "{secret: " + name + "}";
  }

  /** A JSON string is a YAML scalar. */
  private static String quoted(String text) {
    return JsonMapper.shared().writeValueAsString(text);
  }
}
