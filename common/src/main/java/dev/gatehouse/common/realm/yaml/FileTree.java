package dev.gatehouse.common.realm.yaml;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The files of the realms by their paths within the configuration directory ({@code realms/demo.yaml}, {@code certs/ca.pem}); a
 * file elsewhere has its absolute path.
 */
public record FileTree(SortedMap<String, File> files) {

  private static final String PRIVATE_KEY = "PRIVATE KEY-----";

  /** A file. */
  public record File(byte[] content, boolean isSecret) {

    /** Returns the content as text; empty if it is not UTF-8, or a secret. */
    public Optional<String> text() {
      String text = new String(content, StandardCharsets.UTF_8);
      boolean exact = !isSecret && Arrays.equals(content, text.getBytes(StandardCharsets.UTF_8));
      return exact && text.indexOf('\0') < 0 ? Optional.of(text) : Optional.empty();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof File file && isSecret == file.isSecret && Arrays.equals(content, file.content);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(content);
    }

    /** Does not contain the content. */
    @Override
    public String toString() {
      return content.length + " bytes" + (isSecret ? ", secret" : "");
    }
  }

  public FileTree {
    files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
  }

  /** Returns those of the files that exist. A file is a secret if it was read as one, or holds a private key. */
  public static FileTree of(Path directory, NamedFiles named) {
    Path root = directory.toAbsolutePath().normalize();
    SortedMap<String, File> files = new TreeMap<>();
    for (Path path : named.paths()) {
      String name = path.startsWith(root) ? root.relativize(path).toString() : path.toString();
      named.content(path).ifPresent(content -> files.put(name, new File(content, named.isSecret(path) || holdsKey(content))));
    }
    return new FileTree(files);
  }

  /** Returns whether a PEM file has a private key beside its certificates. */
  private static boolean holdsKey(byte[] content) {
    return new String(content, StandardCharsets.ISO_8859_1).contains(PRIVATE_KEY);
  }

  /** Returns the path of a named secret. */
  public static String secret(String name) {
    return YamlSource.SECRETS + "/" + name;
  }

  /** Returns whether the path is that of a named secret. */
  public static boolean isSecretPath(String path) {
    return path.startsWith(YamlSource.SECRETS + "/");
  }

  /** Returns whether the path is that of the realm's file, or in the realm's folder beside it, which no other realm may use. */
  public static boolean isOfRealm(String realm, String path) {
    return path.equals("realms/" + realm + ".yaml") || path.startsWith("realms/" + realm + "/");
  }

  /** Returns the name of the realm to which a file of that path belongs alone; empty if it belongs to none. */
  public static Optional<String> owner(String path) {
    String[] names = path.split("/", -1);
    return realm(path).or(() -> names.length > 2 && names[0].equals("realms") ? Optional.of(names[1]) : Optional.empty());
  }

  /** Returns whether a named secret belongs to the realm: its name begins with the realm's and a dot. */
  public static boolean isSecretOfRealm(String realm, String name) {
    return name.startsWith(realm + ".");
  }

  /** Returns the name of the realm whose file has that path; empty if it is another file. */
  public static Optional<String> realm(String path) {
    return path.startsWith("realms/") && path.endsWith(".yaml") && path.indexOf('/', 7) < 0
        ? Optional.of(path.substring(7, path.length() - 5))
        : Optional.empty();
  }
}
