package dev.gatehouse.gateway.demo.nodes;

import dev.gatehouse.gateway.demo.DemoRefused;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The programs that the demo needs beside Java.
 *
 * @param postgresql the folder of {@code initdb}, {@code postgres} and {@code pg_isready}
 */
record ServerPrograms(Path postgresql, Path valkey, Path haproxy) {

  /** Debian keeps the programs of each version of PostgreSQL in a folder of its own, which is not on the path. */
  private static final Path DEBIAN_VERSIONS = Path.of("/usr/lib/postgresql");

  /**
   * Finds them.
   *
   * @param path the variable PATH
   * @throws DemoRefused with the names of all packages that are missing
   */
  static ServerPrograms find(String path) {
    Optional<Path> initdb = initdb(path);
    Optional<Path> valkey = onPath(path, "valkey-server");
    Optional<Path> haproxy = onPath(path, "haproxy");
    List<String> missing = new ArrayList<>();
    if (initdb.isEmpty()) {
      missing.add("postgresql");
    }
    if (valkey.isEmpty()) {
      missing.add("valkey-server (8 or later)");
    }
    if (haproxy.isEmpty()) {
      missing.add("haproxy");
    }
    if (onPath(path, "setpriv").isEmpty()) {
      missing.add("util-linux (setpriv, setsid)");
    }
    if (!missing.isEmpty()) {
      throw new DemoRefused(
          "demo --nodes starts servers that are not installed here: " + String.join(", ", missing)
              + ". As root on Debian it installs them by itself; elsewhere install these packages.");
    }
    return new ServerPrograms(initdb.orElseThrow().resolveSibling(""), valkey.orElseThrow(), haproxy.orElseThrow());
  }

  private static Optional<Path> initdb(String path) {
    if (!Files.isDirectory(DEBIAN_VERSIONS)) {
      return onPath(path, "initdb").map(ServerPrograms::behindLinks);
    }
    try (Stream<Path> versions = Files.list(DEBIAN_VERSIONS)) {
      return versions
          .map(version -> version.resolve("bin/initdb"))
          .filter(Files::isExecutable)
          .max(Comparator.comparing(ServerPrograms::version))
          .or(() -> onPath(path, "initdb").map(ServerPrograms::behindLinks));
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  private static int version(Path initdb) {
    String digits = DEBIAN_VERSIONS.relativize(initdb).getName(0).toString().replaceAll("\\D.*", "");
    return digits.isEmpty() ? 0 : Integer.parseInt(digits);
  }

  private static Path behindLinks(Path program) {
    try {
      return program.toRealPath();
    } catch (IOException unreadable) {
      return program;
    }
  }

  private static Optional<Path> onPath(String path, String program) {
    // The path of an ordinary user lacks the folder of HAProxy.
    String folders = path + File.pathSeparator + "/usr/sbin" + File.pathSeparator + "/usr/local/sbin";
    return Stream.of(folders.split(File.pathSeparator))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
