package dev.gatehouse.common.audit;

import dev.gatehouse.common.crypto.Sha256;
import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The end of the log: the link that the next line continues, and its record in the key folder. Used by one thread at a time, except
 * {@link Unforced#force}.
 */
final class AuditEnd implements AutoCloseable {

  /** Lines with their links, as they are written. */
  record Lines(byte[] bytes, AuditLink last) {}

  /** Files with lines up to that number that are not forced to disk yet. */
  record Unforced(List<FileOutputStream> files, long seq) {

    /** Forces the files to disk; other lines may be written meanwhile. */
    void force() throws IOException {
      for (FileOutputStream file : files) {
        file.getFD().sync();
      }
    }
  }

  private final AuditFolder folder;
  private final Optional<AuditHead> noted;
  private final MessageDigest digest = Sha256.instance();
  private final List<FileOutputStream> left = new ArrayList<>();
  private Optional<AuditHead.State> state = Optional.empty();

  /** @param noted the record of the log's end in the key folder; empty for a node without records */
  AuditEnd(AuditFolder folder, Optional<AuditHead> noted) {
    this.folder = folder;
    this.noted = noted;
  }

  Lines link(List<byte[]> objects) throws IOException {
    AuditLink last = state().last();
    if (objects.size() == 1) {
      AuditLink.Linked alone = last.append(objects.getFirst(), digest);
      return new Lines(alone.line(), alone.link());
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (byte[] object : objects) {
      AuditLink.Linked linked = last.append(object, digest);
      bytes.writeBytes(linked.line());
      last = linked.link();
    }
    return new Lines(bytes.toByteArray(), last);
  }

  /** Returns the link of the last line. */
  AuditLink last() throws IOException {
    return state().last();
  }

  void written(AuditLink last) throws IOException {
    note(state().at(last));
  }

  /** Records that these files, the oldest of the log, are removed because of their age. */
  void removing(List<Path> old) throws IOException {
    if (noted.isEmpty()) {
      return;
    }
    for (Path file : old) {
      Optional<AuditLink> end = AuditFolder.last(file);
      if (end.isPresent() && end.get().seq() > state().before().seq()) {
        note(state().beginningAfter(end.get()));
      }
    }
  }

  /** Takes over a stream that is not written any more, but may have lines that are not forced to disk. */
  void leave(FileOutputStream stream) throws IOException {
    if (noted.isPresent()) {
      left.add(stream);
    } else {
      stream.close();
    }
  }

  /** Returns what must be forced to disk. */
  Optional<Unforced> unforced(Optional<FileOutputStream> current) {
    if (noted.isEmpty() || state.isEmpty() || state.get().forced() == state.get().last().seq()) {
      return Optional.empty();
    }
    List<FileOutputStream> files = new ArrayList<>(left);
    current.ifPresent(files::add);
    if (files.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(new Unforced(files, state.get().last().seq()));
  }

  void forced(Unforced done) throws IOException {
    for (FileOutputStream file : done.files()) {
      if (left.remove(file)) {
        file.close();
      }
    }
    note(state().forcedTo(done.seq()));
  }

  private void note(AuditHead.State next) throws IOException {
    state = Optional.of(next);
    if (noted.isPresent()) {
      noted.get().write(next);
    }
  }

  /** @throws IOException also if lines are missing: further lines would hide that */
  private AuditHead.State state() throws IOException {
    if (state.isEmpty()) {
      state = Optional.of(found());
    }
    return state.get();
  }

  private AuditHead.State found() throws IOException {
    Optional<AuditLink> last = folder.last();
    if (noted.isPresent()) {
      noted.get().createFolder();
      Optional<AuditHead.State> known = noted.get().read();
      if (known.isPresent()) {
        AuditLink end = last.filter(link -> link.seq() >= known.get().before().seq()).orElse(known.get().before());
        if (end.seq() < known.get().required()) {
          throw new IOException("it ends with event " + end.seq() + " of " + known.get().required() + "; a start says what to do");
        }
        return known.get().at(end);
      }
    }
    AuditLink end = last.orElse(AuditLink.NONE);
    // Without a record nothing is known about earlier lines: checking begins here.
    return new AuditHead.State(end, 0, end, AuditHead.State.NONE.boot());
  }

  @Override
  public void close() throws IOException {
    for (FileOutputStream file : left) {
      file.close();
    }
    left.clear();
    if (noted.isPresent()) {
      noted.get().close();
    }
  }
}
