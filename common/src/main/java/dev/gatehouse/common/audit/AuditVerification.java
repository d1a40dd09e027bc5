package dev.gatehouse.common.audit;

import dev.gatehouse.common.jose.PublicKeys;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reads a whole audit log, its archive included, and names every event that was removed, changed, added, moved or cut off. It only
 * reads, also while a node writes.
 */
public final class AuditVerification {

  /**
   * The files to verify.
   *
   * @param directory the audit log's directory
   * @param head the record of the log's end in the key folder
   * @param archive the folder of the archive, if there is one
   * @param keys the keys that may sign checkpoints
   * @param against files with checkpoints that are kept elsewhere
   */
  public record Sources(Path directory, Path head, Optional<Path> archive, PublicKeys keys, List<Path> against) {}

  /** Learns how much has been read. */
  public interface Progress {
    void at(long bytes, long all);
  }

  private final Sources sources;
  private final AuditFolder folder;
  private final Progress progress;
  private final FoundProblems problems = new FoundProblems();
  private final KnownCheckpoints checkpoints;
  private final LineOrder order;
  private final Optional<AuditHead.State> head;
  private final Set<String> done = new HashSet<>();
  private long all;
  private long read;
  private long bytes;
  private long number;

  private AuditVerification(Sources sources, Progress progress) throws IOException {
    this.sources = sources;
    this.folder = new AuditFolder(sources.directory());
    this.progress = progress;
    this.checkpoints = new KnownCheckpoints(sources.keys(), problems);
    try (AuditHead noted = new AuditHead(sources.head())) {
      // Before the log, which may grow meanwhile.
      this.head = noted.read();
    }
    this.order = new LineOrder(head.map(AuditHead.State::before), problems);
  }

  /** Verifies the log. */
  public static AuditReport verify(Sources sources, Progress progress) throws IOException {
    return new AuditVerification(sources, progress).all();
  }

  private AuditReport all() throws IOException {
    for (Path file : new CheckpointFiles(sources.directory()).all()) {
      checkpoints.add(file);
    }
    for (Path file : sources.against()) {
      checkpoints.add(file);
    }
    all = total();
    rotated();
    while (!current()) {
      // The file was rotated at this moment.
      rotated();
    }
    order.end();
    checkAgainstHead();
    checkpoints.end(folder.current(), order.lastSeq());
    progress.at(all, all);
    return new AuditReport(
        order.events(), order.unchained(), bytes, done.size(), checkpoints.matching(), checkpoints.newest(), problems.kept(),
        problems.unlisted());
  }

  private List<Path> archived() throws IOException {
    return sources.archive().isPresent() ? new AuditFolder(sources.archive().get()).archived() : List.of();
  }

  /** Returns archived and rotated files, the oldest first; a file that is in both places once, as it was rotated. */
  private List<Path> closedFiles() throws IOException {
    TreeMap<String, Path> byName = new TreeMap<>();
    // In this order: a file that is archived meanwhile is in one of the lists.
    for (Path file : folder.rotated()) {
      byName.put(AuditFolder.rotatedName(file), file);
    }
    for (Path file : archived()) {
      byName.putIfAbsent(AuditFolder.rotatedName(file), file);
    }
    return List.copyOf(byName.values());
  }

  private long total() throws IOException {
    long total = 0;
    List<Path> files = new ArrayList<>(closedFiles());
    files.add(folder.current());
    for (Path file : files) {
      total += Files.exists(file) ? Files.size(file) : 0;
    }
    return total;
  }

  private void rotated() throws IOException {
    for (Path file : closedFiles()) {
      if (done.contains(AuditFolder.rotatedName(file))) {
        continue;
      }
      try {
        read(file);
      } catch (NoSuchFileException e) {
        Path archive = sources.archive().orElseThrow(() -> e).resolve(file.getFileName() + AuditFolder.GZIP);
        read(archive);
      }
    }
  }

  /** Reads the current file; returns false if it became a rotated one before it was opened. */
  private boolean current() throws IOException {
    if (!Files.isRegularFile(folder.current())) {
      return !hasFurtherClosedFile();
    }
    try (InputStream in = Files.newInputStream(folder.current())) {
      Object opened = fileKey(folder.current());
      if (hasFurtherClosedFile() || !Objects.equals(opened, fileKey(folder.current()))) {
        return false;
      }
      read(folder.current(), in, false);
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private boolean hasFurtherClosedFile() throws IOException {
    return closedFiles().stream().map(AuditFolder::rotatedName).anyMatch(name -> !done.contains(name));
  }

  private static Object fileKey(Path file) throws IOException {
    return Objects.requireNonNullElse(Files.readAttributes(file, BasicFileAttributes.class).fileKey(), "");
  }

  private void read(Path file) throws IOException {
    boolean isCompressed = file.getFileName().toString().endsWith(AuditFolder.GZIP);
    try (InputStream in = Files.newInputStream(file)) {
      read(file, in, isCompressed);
    }
  }

  private void read(Path file, InputStream raw, boolean isCompressed) throws IOException {
    done.add(AuditFolder.rotatedName(file));
    number = 0;
    InputStream counted = new Counted(raw);
    try {
      InputStream content = isCompressed ? MemberInput.of(counted, file) : counted;
      AuditLines lines = new AuditLines(content, (line, buffer, from, to) -> line(file, line, buffer, from, to));
      boolean isComplete = lines.read();
      bytes += lines.taken();
      if (!isComplete && !file.equals(folder.current())) {
        problems.add(file, number + 1, "the last line is not complete");
      }
    } catch (NoSuchFileException e) {
      throw e;
    } catch (IOException e) {
      problems.add(file, number + 1, "cannot be read from here on: " + e.getMessage());
    }
  }

  private void line(Path file, long line, byte[] buffer, int from, int to) {
    number = line;
    Optional<AuditLink> link = order.line(file, line, buffer, from, to);
    if (link.isPresent()) {
      checkpoints.line(file, line, buffer, from, to, link.get());
      if (head.filter(state -> state.last().seq() == link.get().seq() && !state.last().isSame(link.get())).isPresent()) {
        problems.add(
            file, line, "event " + link.get().seq() + ", or one before it, was changed: it contradicts " + sources.head());
      }
    }
  }

  private void checkAgainstHead() {
    long required = head.map(AuditHead.State::required).orElse(0L);
    if (order.lastSeq() < required) {
      problems.add(
          folder.current(),
          0,
          "the log was cut off: it ends with event " + order.lastSeq() + ", but " + sources.head() + " names event " + required);
    }
  }

  /** Counts the bytes of the file itself. */
  private final class Counted extends FilterInputStream {

    Counted(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
      int count = super.read(to, from, length);
      if (count > 0) {
        read += count;
        progress.at(Math.min(read, all), all);
      }
      return count;
    }

    @Override
    public int read() throws IOException {
      int one = super.read();
      read += one < 0 ? 0 : 1;
      return one;
    }
  }
}
