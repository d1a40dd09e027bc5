package dev.gatehouse.common.refusal;

import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.sealed.SealedLines;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A file of traces in blocks. The head of a block has keyed digests of the request ids, by which it is found without opening the
 * others.
 */
final class RefusalFile {

  /** Traces in one block. */
  static final int BLOCK = 64;

  private static final int DIGITS = 10;

  private final Path file;
  private final SealingKey sealing;
  private final SealedLines sealed;

  RefusalFile(Path file, SealingKey sealing) {
    this.file = file;
    this.sealing = sealing;
    this.sealed = new SealedLines(file, sealing, "refusals");
  }

  Path path() {
    return file;
  }

  /** Appends traces, at most {@link #BLOCK}. */
  void append(List<RefusalTrace> traces) throws IOException {
    sealed.append(line(traces));
  }

  private String line(List<RefusalTrace> traces) {
    return sealed.line(traces.stream().map(trace -> digest(trace.requestId())).distinct().collect(Collectors.joining(",")), traces);
  }

  private String digest(String requestId) {
    return sealing.digest(requestId, "refusals", "request id").substring(0, DIGITS);
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
      sealed.replace(lines -> {
        for (String line : kept) {
          lines.add(line);
        }
      });
    }
    return removed[0];
  }

  private Optional<List<RefusalTrace>> traces(String line) {
    int end = line.indexOf(' ');
    return end < 0
        ? Optional.empty()
        : sealed.open(line.substring(0, end), line.substring(end + 1).getBytes(StandardCharsets.ISO_8859_1), RefusalTrace[].class);
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
}
