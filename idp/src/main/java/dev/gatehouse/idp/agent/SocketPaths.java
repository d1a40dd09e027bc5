package dev.gatehouse.idp.agent;

import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.YamlSection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;

/** Where Unix sockets may be. */
final class SocketPaths {

  private SocketPaths() {}

  /** Returns the path, after its mistakes were named. */
  static Optional<Path> read(YamlSection section, Key<Path> key) {
    Optional<Path> path = section.find(key);
    if (path.isPresent() && isTooLong(path.get())) {
      section.problem(key, "has more than 100 bytes, or its folder more than 70, which is too long for a socket", "write a shorter path");
    } else if (path.isPresent() && !Files.isDirectory(path.get().toAbsolutePath().resolveSibling(""))) {
      section.problem(key, "is in a folder that does not exist",
          "create it, for this user alone, or let systemd: RuntimeDirectory=gatehouse-agent");
    } else if (path.isPresent() && isOpenToAll(path.get())) {
      section.problem(key, "is in a folder that everybody can write to, who could put another socket there",
          "write a folder of this user alone, as systemd creates by RuntimeDirectory=gatehouse-agent");
    }
    return path;
  }

  /** It is bound in a folder beside it, with a longer name. */
  private static boolean isTooLong(Path path) {
    return bytes(path) > 100 || bytes(path.toAbsolutePath().resolveSibling("")) > 70;
  }

  private static int bytes(Path path) {
    return path.toString().getBytes(StandardCharsets.UTF_8).length;
  }

  private static boolean isOpenToAll(Path path) {
    try {
      return Files.getPosixFilePermissions(path.toAbsolutePath().resolveSibling("")).contains(PosixFilePermission.OTHERS_WRITE);
    } catch (IOException e) {
      return true;
    }
  }
}
