package dev.gatehouse.common.installation;

import dev.gatehouse.common.key.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** Stores the record as the file {@code installation} of a folder. */
public record FileRecordLocation(Path folder) implements RecordLocation {

  public static final String NAME = "installation";

  @Override
  public Optional<String> read() {
    // Bytes that are not UTF-8 decode to characters that fail the checksum: a damaged record, not an unreadable file.
    return PrivateFiles.read(folder.resolve(NAME)).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
  }

  @Override
  public void write(String text) {
    try {
      PrivateFiles.createFolder(folder);
      PrivateFiles.replace(folder.resolve(NAME), text);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write " + folder.resolve(NAME), e);
    }
  }
}
