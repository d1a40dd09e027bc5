package dev.gatehouse.common.installation;

import dev.gatehouse.common.key.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** The record as the file {@code installation} of a folder. */
public record FileRecordPlace(Path folder) implements RecordPlace {

  public static final String NAME = "installation";

  @Override
  public Optional<String> read() {
    try {
      return Optional.of(Files.readString(folder.resolve(NAME)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + folder.resolve(NAME), e);
    }
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
