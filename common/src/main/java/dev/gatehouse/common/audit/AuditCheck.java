package dev.gatehouse.common.audit;

import dev.gatehouse.common.crypto.Sha256;
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
 * Reads the audit log and finds lines that were removed, changed, added, moved or cut off. An unfinished last line is not a defect: the
 * end of the process may cut off a write, whose caller then got no acknowledgement.
 *
 * <p>Of rotated files beyond the newest {@link #READ_WHOLE} bytes only the first and the last line are checked.
 */
final class AuditCheck {

  private static final long READ_WHOLE = 64 << 20;

  /** Larger than any line. */
  private static final int BUFFER = 1 << 20;

  /** A defect; the message is the end of a sentence that begins with the file. */
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
  private final MessageDigest digest = Sha256.instance();
  private final long before;
  private Optional<AuditLink> last;
  private boolean isLinked;

  private AuditCheck(AuditFolder folder, Optional<AuditHead.State> head) {
    this.folder = folder;
    this.head = head;
    this.last = head.map(AuditHead.State::before);
    this.before = seq();
  }

  /** Returns the defect; empty for an intact log, and for a log of the former version. */
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

  /** Returns whether the file was about to be removed because of its age when the process ended. */
  private boolean isRemovedAlready(Path file) throws IOException {
    return before > 0 && AuditFolder.last(file).filter(end -> end.seq() <= before).isPresent();
  }

  /** Checks that the file continues the one before, and reads its last line. */
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

  /** Checks the complete lines; returns the position of the line that is not complete yet. */
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
      // A line of the former version, which wrote no numbers.
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
      throw new Found(file, "was changed: event " + seq + " differs from the written content");
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
