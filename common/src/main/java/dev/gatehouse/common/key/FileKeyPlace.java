package dev.gatehouse.common.key;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/** Key files in a folder, with a list of those that must exist ({@link KeyManifest}). */
public final class FileKeyPlace implements KeyPlace {

  private final Path keys;
  private final KeyManifest manifest;

  /** @param data the node's data directory */
  public FileKeyPlace(Path data) {
    this.keys = data.resolve("keys");
    this.manifest = new KeyManifest(keys);
  }

  @Override
  public Path root() {
    return keys;
  }

  @Override
  public byte[] read(Path file) throws IOException {
    return Files.readAllBytes(file);
  }

  @Override
  public Instant modified(Path file) throws IOException {
    return Files.getLastModifiedTime(file).toInstant();
  }

  @Override
  public Optional<Object> stamp(Path file) {
    try {
      return Optional.of(PrivateFiles.stamp(file));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The list gets the file after it was written: an interruption leaves a file without a line, but never a line without a file. */
  @Override
  public void replace(Path file, String content) throws IOException {
    PrivateFiles.replace(file, content);
    manifest.add(file);
  }

  @Override
  public void delete(Path file) throws IOException {
    manifest.remove(file);
    Files.deleteIfExists(file);
  }

  @Override
  public boolean lists(Path file) throws IOException {
    return manifest.lists(file);
  }

  @Override
  public <T> T locked(Path folder, PrivateFiles.Work<T> work) throws IOException {
    return PrivateFiles.locked(folder, work);
  }
}
