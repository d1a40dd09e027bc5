package dev.gatehouse.common.registry;

import dev.gatehouse.common.crypto.Sha256;
import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * Stores the last good documents, one file for each realm, partner and source, and the announcements about partners. Files are
 * replaced atomically.
 */
final class MetadataCache {

  /** A stored document and the time of its fetch. */
  record CachedDocument(byte[] document, Instant fetchedAt) {}

  private final Path directory;

  MetadataCache(Path directory) {
    this.directory = directory;
  }

  Optional<CachedDocument> read(String realm, String entityId, String source) throws IOException {
    Path file = file(realm, entityId, source);
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    return Optional.of(new CachedDocument(Files.readAllBytes(file), Files.getLastModifiedTime(file).toInstant()));
  }

  void write(String realm, String entityId, String source, byte[] document) throws IOException {
    replace(realm, file(realm, entityId, source), document);
  }

  /** Returns the certificates of a partner whose expiry was announced, each with the days of the last announcement. */
  Map<String, Integer> announced(String realm, String entityId) throws IOException {
    Path file = announcedFile(realm, entityId);
    if (!Files.isRegularFile(file)) {
      return Map.of();
    }
    Properties found = new Properties();
    found.load(new StringReader(Files.readString(file)));
    Map<String, Integer> announced = new HashMap<>();
    found.stringPropertyNames().forEach(name -> announced.put(name, Integer.valueOf(found.getProperty(name))));
    return announced;
  }

  void writeAnnounced(String realm, String entityId, Map<String, Integer> announced) throws IOException {
    StringBuilder lines = new StringBuilder();
    announced.forEach((certificate, days) -> lines.append(certificate).append('=').append(days).append('\n'));
    replace(realm, announcedFile(realm, entityId), lines.toString().getBytes(StandardCharsets.UTF_8));
  }

  private Path announcedFile(String realm, String entityId) {
    String name = Sha256.hex(entityId).substring(0, 32);
    return directory.resolve(realm).resolve(name + ".announced");
  }

  private void replace(String realm, Path file, byte[] content) throws IOException {
    Path folder = directory.resolve(realm);
    Files.createDirectories(folder);
    Path written = Files.createTempFile(folder, "fetched", ".tmp");
    try {
      try (FileChannel out = FileChannel.open(written, StandardOpenOption.WRITE)) {
        ByteBuffer bytes = ByteBuffer.wrap(content);
        while (bytes.hasRemaining()) {
          out.write(bytes);
        }
        out.force(true);
      }
      Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(written);
    }
  }

  /** Returns a file named by a hash: entity IDs are URLs, and may be longer than names of files. */
  private Path file(String realm, String entityId, String source) {
    String both = entityId + "\n" + source;
    return directory.resolve(realm).resolve(Sha256.hex(both).substring(0, 32) + ".xml");
  }
}
