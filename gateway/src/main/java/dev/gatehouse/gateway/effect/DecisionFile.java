package dev.gatehouse.gateway.effect;

import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.sealed.SealedLines;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/**
 * The decisions of one day in blocks. The head of a block says how often the sample was halved, the number of decisions, and the time
 * of the newest one in seconds.
 */
final class DecisionFile {

  /** Decisions in one block. */
  static final int BLOCK = 256;

  private static final int LONGEST_LINE = 64 << 20;

  private final Path file;
  private final SealedLines sealed;

  DecisionFile(Path file, SealingKey sealing) {
    this.file = file;
    this.sealed = new SealedLines(file, sealing, "decisions");
  }

  /** The beginning of a line. */
  private record Head(int halvings, int count, long at, int length) {

    static Optional<Head> of(byte[] line) {
      String[] parts = new String(line, 0, Math.min(line.length, 60), StandardCharsets.ISO_8859_1).split(" ", 4);
      try {
        Head head = new Head(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Long.parseLong(parts[2]), 0);
        boolean possible = parts.length == 4 && head.halvings >= 0 && head.halvings < Long.SIZE && head.count > 0 && head.count <= BLOCK;
        int length = parts[0].length() + parts[1].length() + parts[2].length() + 3;
        return possible ? Optional.of(new Head(head.halvings, head.count, head.at, length)) : Optional.empty();
      } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
        return Optional.empty();
      }
    }

    /** Is authenticated with the content. */
    String text() {
      return halvings + " " + count + " " + at;
    }
  }

  /**
   * What reading found.
   *
   * @param recorded the readable and unread decisions since the time asked for
   * @param seen an estimate of the distinct decisions that these are a sample of, those of damaged lines included
   * @param damaged lines that were skipped
   */
  record Reading(long recorded, double seen, long damaged) {
    static final Reading NOTHING = new Reading(0, 0, 0);

    Reading plus(Reading other) {
      return new Reading(recorded + other.recorded, seen + other.seen, damaged + other.damaged);
    }
  }

  /** Appends decisions, at most {@link #BLOCK}. */
  void append(List<RecordedDecision> decisions, int halvings) throws IOException {
    sealed.append(line(decisions, halvings));
  }

  private String line(List<RecordedDecision> decisions, int halvings) {
    return sealed.line(new Head(halvings, decisions.size(), decisions.getLast().at() / 1000, 0).text(), decisions);
  }

  /** Removes decisions that do not belong to the smaller sample; returns the number of those that are left. */
  int thin(int halvings) throws IOException {
    int[] left = {0};
    sealed.replace(lines -> {
      List<RecordedDecision> block = new ArrayList<>();
      lines((head, line) -> {
        for (RecordedDecision decision : head.flatMap(known -> decisions(known, line)).orElse(List.of())) {
          if (Fingerprint.isSampled(decision.fingerprint(), halvings)) {
            block.add(decision);
            left[0]++;
          }
          if (block.size() == BLOCK) {
            lines.add(line(block, halvings));
            block.clear();
          }
        }
        return true;
      }, false);
      if (!block.isEmpty()) {
        lines.add(line(block, halvings));
      }
    });
    return left[0];
  }

  long bytes() throws IOException {
    return Files.exists(file) ? Files.size(file) : 0;
  }

  /** Returns how often the sample was halved. */
  int halvings() throws IOException {
    int[] most = {0};
    lines((head, line) -> {
      most[0] = Math.max(most[0], head.map(Head::halvings).orElse(0));
      return true;
    }, false);
    return most[0];
  }

  /** Passes all decisions that can be read, the oldest first. */
  void forEach(Consumer<RecordedDecision> each) throws IOException {
    lines((head, line) -> {
      head.flatMap(known -> decisions(known, line)).ifPresent(all -> all.forEach(each));
      return true;
    }, false);
  }

  /**
   * Passes decisions, the newest first.
   *
   * @param since in seconds; older blocks are left out
   * @param wanted returns false if it wants no more; the rest is counted without being opened
   */
  Reading newestFirst(long since, Predicate<RecordedDecision> wanted) throws IOException {
    Reading[] sum = {Reading.NOTHING};
    boolean[] more = {true};
    lines((head, line) -> {
      if (head.isEmpty()) {
        sum[0] = sum[0].plus(new Reading(0, 0, 1));
        return true;
      }
      Head known = head.get();
      if (known.at() < since) {
        return false;
      }
      double seen = known.count() * Math.pow(2, known.halvings());
      Optional<List<RecordedDecision>> opened = more[0] ? decisions(known, line) : Optional.of(List.of());
      sum[0] = sum[0].plus(opened.isPresent() ? new Reading(known.count(), seen, 0) : new Reading(0, seen, 1));
      for (RecordedDecision decision : opened.map(List::reversed).orElse(List.of())) {
        more[0] = more[0] && wanted.test(decision);
      }
      return true;
    }, true);
    return sum[0];
  }

  /** Readers count what is missing. */
  private Optional<List<RecordedDecision>> decisions(Head head, byte[] line) {
    return sealed.open(head.text(), Arrays.copyOfRange(line, head.length(), line.length), RecordedDecision[].class);
  }

  /** Takes a line; returns whether the next one is wanted. */
  private interface EachLine {
    boolean line(Optional<Head> head, byte[] line) throws IOException;
  }

  private void lines(EachLine each, boolean backwards) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long[] ends = ends(channel);
      for (int i = 0; i < ends.length; i++) {
        int at = backwards ? ends.length - 1 - i : i;
        long start = at == 0 ? 0 : ends[at - 1] + 1;
        byte[] line = new byte[(int) Math.min(ends[at] - start, LONGEST_LINE)];
        ByteBuffer bytes = ByteBuffer.wrap(line);
        while (bytes.hasRemaining() && channel.read(bytes, start + bytes.position()) > 0) {
          // Reads on.
        }
        if (!each.line(Head.of(line), line)) {
          return;
        }
      }
    } catch (NoSuchFileException e) {
      // Nothing was recorded.
    }
  }

  /** The places of line ends. What follows the last one is still being written, or was torn. */
  private static long[] ends(FileChannel channel) throws IOException {
    LongStream.Builder ends = LongStream.builder();
    ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
    long before = 0;
    while (channel.read(buffer.clear(), before) > 0) {
      byte[] bytes = buffer.array();
      for (int i = 0; i < buffer.position(); i++) {
        if (bytes[i] == '\n') {
          ends.add(before + i);
        }
      }
      before += buffer.position();
    }
    return ends.build().toArray();
  }
}
