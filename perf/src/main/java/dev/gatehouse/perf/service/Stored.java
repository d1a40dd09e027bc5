package dev.gatehouse.perf.service;

import dev.gatehouse.perf.server.GatehouseNode;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;

/** What files of a node are for. */
enum Stored {
  ROCKSDB,
  DATABASE,
  /** What is written for events, and grows with them: audit log with its index, access log, recorded decisions, traces of refusals. */
  LOGS,
  /** Keys, metadata, copies, reserved space, the configuration. */
  OTHER;

  /** The bytes of the node's files. Files that it removes meanwhile do not count. */
  static Map<Stored, Long> bytes(GatehouseNode.Configured node) throws IOException {
    Map<Stored, Long> bytes = new EnumMap<>(Stored.class);
    for (Stored each : values()) {
      bytes.put(each, 0L);
    }
    Files.walkFileTree(node.config(), new Sizes(file -> of(node, file), bytes));
    return bytes;
  }

  private static Stored of(GatehouseNode.Configured node, Path file) {
    if (!file.startsWith(node.data())) {
      return file.getFileName().toString().startsWith("access.log") ? LOGS : OTHER;
    }
    return switch (node.data().relativize(file).getName(0).toString()) {
      case "rocksdb" -> ROCKSDB;
      case "h2" -> DATABASE;
      case "audit", "decisions", "refusals" -> LOGS;
      default -> OTHER;
    };
  }

  /** Adds the size of each file to that of its kind. */
  private static final class Sizes extends SimpleFileVisitor<Path> {

    private final Function<Path, Stored> kind;
    private final Map<Stored, Long> bytes;

    Sizes(Function<Path, Stored> kind, Map<Stored, Long> bytes) {
      this.kind = kind;
      this.bytes = bytes;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      bytes.merge(kind.apply(file), attributes.size(), Long::sum);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
      if (failure instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw failure;
    }
  }
}
