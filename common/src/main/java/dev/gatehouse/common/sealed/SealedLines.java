package dev.gatehouse.common.sealed;

import dev.gatehouse.common.key.SealingKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * A file that only its owner may read. A line is a block of values: a head in clear text, a space, and the values as compressed and
 * sealed JSON in base64. The head and the file's name are authenticated with them. A damaged line loses its own values only.
 */
public final class SealedLines {

  private static final FileAttribute<?> OWNERS = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final Set<StandardOpenOption> APPENDING =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
  private static final Set<StandardOpenOption> FRESH = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Path file;
  private final SealingKey sealing;
  private final String purpose;

  /** @param purpose separates files of one kind from those of another under the same key */
  public SealedLines(Path file, SealingKey sealing, String purpose) {
    this.file = file;
    this.sealing = sealing;
    this.purpose = purpose;
  }

  /** Returns a line with its end. */
  public String line(String head, List<?> values) {
    byte[] sealed = sealing.seal(deflated(JSON.writeValueAsBytes(values)), context(head));
    return head + " " + Base64.getEncoder().encodeToString(sealed) + "\n";
  }

  /** Returns the values of a line, which is given without its head and its end; empty if it is damaged or was sealed by another key. */
  public <T> Optional<List<T>> open(String head, byte[] base64, Class<T[]> type) {
    try {
      byte[] sealed = Base64.getDecoder().decode(base64);
      return Optional.of(List.of(JSON.readValue(inflated(sealing.open(sealed, context(head))), type)));
    } catch (IllegalArgumentException | IllegalStateException | DataFormatException | JacksonException e) {
      return Optional.empty();
    }
  }

  private String[] context(String head) {
    return new String[] {purpose, String.valueOf(file.getFileName()), head};
  }

  /** Appends a line of {@link #line}. A torn last line is completed before, so that it takes no other with it. */
  public void append(String line) throws IOException {
    try (FileChannel channel = FileChannel.open(file, APPENDING, OWNERS)) {
      long end = channel.size();
      channel.position(end);
      try {
        write(channel, end > 0 && !endsLine(channel, end) ? "\n" + line : line);
      } catch (IOException e) {
        // A full disk takes a part of a line.
        channel.truncate(end);
        throw e;
      }
    }
  }

  private static boolean endsLine(FileChannel channel, long end) throws IOException {
    ByteBuffer last = ByteBuffer.allocate(1);
    channel.read(last, end - 1);
    return last.get(0) == '\n';
  }

  /** Takes lines. */
  public interface Lines {
    void add(String line) throws IOException;
  }

  /** Writes the lines of a file. */
  public interface Content {
    void writeTo(Lines lines) throws IOException;
  }

  /** Replaces all lines at once. After a failure the former lines are still there. */
  public void replace(Content content) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(fresh);
    try (FileChannel channel = FileChannel.open(fresh, FRESH, OWNERS)) {
      content.writeTo(line -> write(channel, line));
      channel.force(false);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  private static void write(FileChannel channel, String line) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.ISO_8859_1));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  private static byte[] deflated(byte[] bytes) {
    try (Deflater deflater = new Deflater(Deflater.BEST_SPEED, true)) {
      deflater.setInput(bytes);
      deflater.finish();
      ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length / 4);
      byte[] part = new byte[1 << 14];
      while (!deflater.finished()) {
        out.write(part, 0, deflater.deflate(part));
      }
      return out.toByteArray();
    }
  }

  private static byte[] inflated(byte[] bytes) throws DataFormatException {
    try (Inflater inflater = new Inflater(true)) {
      inflater.setInput(bytes);
      ByteArrayOutputStream out = new ByteArrayOutputStream(8 * bytes.length);
      byte[] part = new byte[1 << 14];
      while (!inflater.finished()) {
        int length = inflater.inflate(part);
        if (length == 0 && !inflater.finished()) {
          throw new DataFormatException("ends early");
        }
        out.write(part, 0, length);
      }
      return out.toByteArray();
    }
  }
}
