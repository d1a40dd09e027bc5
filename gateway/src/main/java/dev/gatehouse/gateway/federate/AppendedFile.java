package dev.gatehouse.gateway.federate;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** A file that is only appended to; bytes that an interrupted run wrote after its last journal entry are cut off. */
final class AppendedFile implements AutoCloseable {

  private final FileChannel channel;

  /** @param length the length in the journal; 0 for a new file, which only its owner can read */
  AppendedFile(Path file, long length) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    if (channel.size() < length) {
      channel.close();
      throw new FederationEndFailed(file + " is shorter than the journal says. Remove the journal to begin anew.");
    }
    channel.truncate(length);
    channel.position(length);
  }

  void append(String text) throws IOException {
    ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  long length() throws IOException {
    return channel.position();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
