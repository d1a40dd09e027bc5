package dev.gatehouse.common.audit;

import dev.gatehouse.common.installation.StoreDamaged.Defect;
import dev.gatehouse.common.installation.StoreName;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the audit log and finds what was removed, changed, added, moved or cut off. An unfinished last line is what a write
 * leaves that the end of the process cut off: nobody was told that it was written.
 *
 * <p>Of rotated files beyond {@link #READ_WHOLE} bytes, the oldest, only the ends are looked at.
 */
final class AuditCheck {

  private static final long READ_WHOLE = 64 << 20;

  /** More than one line is long. */
  private static final int BUFFER = 1 << 20;

  /** Found: the end of a sentence that begins with the file. */
  private static final class Found extends Exception {
    private static final long serialVersionUID = 1;
    private final transient Defect defect;

    Found(Path file, String what) {
      super(what);
      this.defect = new Defect(StoreName.AUDIT, file, what);
    }
  }

  private final AuditFolder folder;
  private final Optional<AuditHead.State> head;
  private final MessageDigest digest = AuditLink.sha256();
  private final long before;
  private Optional<AuditLink> last;
  private boolean isLinked;

  private AuditCheck(AuditFolder folder, Optional<AuditHead.State> head) {
    this.folder = folder;
    this.head = head;
    this.last = head.map(AuditHead.State::before);
    this.before = seq();
  }

  /** What is wrong; empty for a log that is whole, or of the former version. */
  static Optional<Defect> defect(AuditFolder folder, Optional<AuditHead.State> head) throws IOException {
    try {
      new AuditCheck(folder, head).all();
      return Optional.empty();
    } catch (Found e) {
      return Optional.of(e.defect);
    }
  }

  private void all() throws IOException, Found {
    List<Path> files = new ArrayList<>(folder.rotated());
    if (Files.isRegularFile(folder.current())) {
      files.add(folder.current());
    }
    int whole = firstReadWhole(files);
    for (int i = 0; i < files.size(); i++) {
      Path file = files.get(i);
      if (isRemovedAlready(file)) {
        continue;
      }
      if (i < whole) {
        ends(file);
      } else {
        read(file, false);
      }
    }
    long seq = seq();
    long required = head.map(AuditHead.State::required).orElse(0L);
    if (seq < required) {
      throw new Found(folder.current(), "was cut off or is missing: the log ends with event " + seq + " of " + required);
    }
  }

  private static int firstReadWhole(List<Path> files) throws IOException {
    long bytes = 0;
    int first = files.size();
    while (first > 0 && bytes <= READ_WHOLE) {
      first--;
      bytes += Files.size(files.get(first));
    }
    return bytes <= READ_WHOLE ? 0 : Math.min(first + 1, files.size() - 1);
  }

  /** It was to be removed by its age when the process ended. */
  private boolean isRemovedAlready(Path file) throws IOException {
    return before > 0 && AuditFolder.last(file).filter(end -> end.seq() <= before).isPresent();
  }

  /** Whether it begins where the one before ended, and how it ends. */
  private void ends(Path file) throws IOException, Found {
    read(file, true);
    Optional<AuditLink> end = AuditFolder.last(file);
    if (isLinked && end.isEmpty()) {
      throw damagedLine(file);
    }
    last = end.or(() -> last);
  }

  private void read(Path file, boolean firstOnly) throws IOException, Found {
    byte[] bytes = new byte[BUFFER];
    int filled = 0;
    try (InputStream in = Files.newInputStream(file)) {
      for (int read = in.read(bytes); read >= 0; read = in.read(bytes, filled, bytes.length - filled)) {
        filled += read;
        int begin = lines(file, bytes, filled, firstOnly);
        if (firstOnly && begin > 0) {
          return;
        }
        filled -= begin;
        System.arraycopy(bytes, begin, bytes, 0, filled);
        if (filled == bytes.length) {
          throw damagedLine(file);
        }
      }
    }
    if (filled > 0 && !file.equals(folder.current())) {
      throw damagedLine(file);
    }
  }

  /** Where the line that is not whole yet begins. */
  private int lines(Path file, byte[] bytes, int filled, boolean firstOnly) throws Found {
    int begin = 0;
    for (int i = 0; i < filled; i++) {
      if (bytes[i] == '\n') {
        line(file, bytes, begin, i + 1);
        begin = i + 1;
        if (firstOnly) {
          break;
        }
      }
    }
    return begin;
  }

  private void line(Path file, byte[] bytes, int from, int to) throws Found {
    Optional<AuditLink> said = AuditLink.of(bytes, from, to);
    if (said.isEmpty()) {
      if (isLinked) {
        throw damagedLine(file);
      }
      // Of the former version, which wrote no numbers.
      return;
    }
    long seq = said.get().seq();
    if (seq <= before) {
      return;
    }
    long after = seq();
    if (last.isPresent() && seq != after + 1) {
      throw new Found(file, "has event " + seq + " after event " + after + ": events were removed, added or moved");
    }
    boolean isFollowing = last.isEmpty() || last.get().isFollowedBy(said.get(), bytes, from, to, digest);
    if (!isFollowing || head.filter(state -> state.last().seq() == seq && !state.last().isSame(said.get())).isPresent()) {
      throw new Found(file, "was changed: event " + seq + " is not what was written");
    }
    isLinked = true;
    last = said;
  }

  private long seq() {
    return last.map(AuditLink::seq).orElse(0L);
  }

  private Found damagedLine(Path file) {
    return new Found(file, "has a damaged line after event " + seq());
  }
}
