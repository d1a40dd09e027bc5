package dev.gatehouse.common.audit.syslog;

import dev.gatehouse.common.key.PrivateFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.OptionalLong;

/** The file with the number of the last event that a receiver certainly has. */
final class SyslogPosition {

  private final Path file;
  private long written = -1;

  SyslogPosition(Path file) {
    this.file = file;
  }

  /** Returns the number; empty if there is none yet, or the file is damaged. */
  OptionalLong read() {
    try {
      String text = PrivateFiles.read(file).map(bytes -> new String(bytes, StandardCharsets.US_ASCII).strip()).orElse("");
      return text.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  void write(long seq) throws IOException {
    if (seq != written) {
      PrivateFiles.createFolder(Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file lies in a folder"));
      PrivateFiles.replace(file, seq + "\n");
      written = seq;
    }
  }
}
