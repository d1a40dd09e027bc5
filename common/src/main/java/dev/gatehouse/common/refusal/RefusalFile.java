package dev.gatehouse.common.refusal;

import dev.gatehouse.common.key.SealingKey;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * A file of traces. A line is a block: keyed digests of the request ids, by which a block is found without opening the others, and
 * the traces as compressed and sealed JSON in base64. A damaged line loses its own traces only.
 */
final class RefusalFile {

  /** Traces in one block. */
  static final int BLOCK = 64;

  private static final int DIGITS = 10;
  private static final FileAttribute<?> OWNERS = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final Set<StandardOpenOption> APPENDING =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Path file;
  private final SealingKey sealing;

  RefusalFile(Path file, SealingKey sealing) {
    this.file = file;
    this.sealing = sealing;
  }

  Path path() {
    return file;
  }

  /** Appends traces, at most {@link #BLOCK}. A torn last line is completed before, so that it takes no other with it. */
  void append(List<RefusalTrace> traces) throws IOException {
    byte[] line = line(traces).getBytes(StandardCharsets.ISO_8859_1);
    try (FileChannel channel = FileChannel.open(file, APPENDING, OWNERS)) {
      long end = channel.size();
      ByteBuffer bytes = ByteBuffer.allocate(line.length + 1);
      if (end > 0 && !endsLine(channel, end)) {
        bytes.put((byte) '\n');
      }
      bytes.put(line).flip();
      channel.position(end);
      try {
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
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

  private String line(List<RefusalTrace> traces) {
    String digests = traces.stream().map(trace -> digest(trace.requestId())).distinct().collect(Collectors.joining(","));
    byte[] sealed = sealing.seal(deflated(JSON.writeValueAsBytes(traces)), context(digests));
    return digests + " " + Base64.getEncoder().encodeToString(sealed) + "\n";
  }

  private String digest(String requestId) {
    return sealing.digest(requestId, "refusals", "request id").substring(0, DIGITS);
  }

  private String[] context(String digests) {
    return new String[] {"refusals", String.valueOf(file.getFileName()), digests};
  }

  /** Returns the traces with that request id, the oldest first. */
  List<RefusalTrace> find(String requestId) throws IOException {
    String digest = digest(requestId);
    List<RefusalTrace> found = new ArrayList<>();
    lines(line -> {
      int end = line.indexOf(' ');
      if (end > 0 && line.substring(0, end).contains(digest)) {
        traces(line).ifPresent(block -> block.stream().filter(trace -> trace.requestId().equals(requestId)).forEach(found::add));
      }
    });
    return found;
  }

  /** Removes traces; returns how many. Lines that cannot be read are removed, too: nobody could tell whose they are. */
  int remove(Predicate<RefusalTrace> which) throws IOException {
    int[] removed = {0};
    List<String> kept = new ArrayList<>();
    lines(line -> {
      List<RefusalTrace> block = traces(line).orElse(List.of());
      List<RefusalTrace> left = block.stream().filter(which.negate()).toList();
      removed[0] += block.size() - left.size();
      if (left.size() == block.size() && !block.isEmpty()) {
        kept.add(line + "\n");
      } else if (!left.isEmpty()) {
        kept.add(line(left));
      }
    });
    if (removed[0] > 0) {
      replace(kept);
    }
    return removed[0];
  }

  private void replace(List<String> lines) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(fresh);
    try (FileChannel channel = FileChannel.open(fresh, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OWNERS)) {
      for (String line : lines) {
        ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.ISO_8859_1));
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
      }
      channel.force(false);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  private Optional<List<RefusalTrace>> traces(String line) {
    int end = line.indexOf(' ');
    if (end < 0) {
      return Optional.empty();
    }
    try {
      byte[] sealed = Base64.getDecoder().decode(line.substring(end + 1));
      byte[] json = inflated(sealing.open(sealed, context(line.substring(0, end))));
      return Optional.of(List.of(JSON.readValue(json, RefusalTrace[].class)));
    } catch (IllegalArgumentException | IllegalStateException | DataFormatException | JacksonException e) {
      // Damaged, or of another key.
      return Optional.empty();
    }
  }

  /** Takes a line. */
  private interface EachLine {
    void line(String line);
  }

  private void lines(EachLine each) throws IOException {
    try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        each.line(line);
      }
    } catch (NoSuchFileException e) {
      // It was removed meanwhile.
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
