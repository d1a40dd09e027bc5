package dev.gatehouse.common.audit;

import dev.gatehouse.common.installation.BootId;
import dev.gatehouse.common.installation.SlotFile;
import dev.gatehouse.common.key.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * The position of the audit log's end, in a file of the key folder: the log itself does not show that its end was cut off. Written with
 * each write of lines, without forcing it to disk.
 */
final class AuditHead implements AutoCloseable {

  private static final int LINK = Long.BYTES + AuditLink.CHAIN_BYTES;
  private static final int CONTENT = 2 * LINK + Long.BYTES + BootId.BYTES;
  private static final int SLOT = 128;

  /**
   * The state of the log.
   *
   * @param last the last line
   * @param forced the number of the last line that was forced to disk
   * @param before the line before the oldest line that is preserved
   * @param boot the boot of the operating system
   */
  record State(AuditLink last, long forced, AuditLink before, BootId boot) {

    static final State NONE = new State(AuditLink.NONE, 0, AuditLink.NONE, BootId.current());

    /** Returns the number that the log must have reached: after another boot of the operating system, that of the forced lines. */
    long required() {
      return boot.isCurrent() ? last.seq() : forced;
    }

    State at(AuditLink now) {
      return new State(now, forced, before, BootId.current());
    }

    State forcedTo(long seq) {
      return new State(last, seq, before, BootId.current());
    }

    State beginningAfter(AuditLink removed) {
      return new State(last, forced, removed, BootId.current());
    }

    /** Returns a state that expects no earlier lines. */
    State anew() {
      return new State(last, last.seq(), last, BootId.current());
    }
  }

  private final Path file;
  private final SlotFile slots;

  AuditHead(Path file) {
    this.file = file;
    this.slots = new SlotFile(file, SLOT, CONTENT);
  }

  Optional<State> read() {
    return slots
        .read()
        .map(
            content -> {
              AuditLink last = link(content);
              long forced = content.getLong();
              return new State(last, forced, link(content), BootId.from(content));
            });
  }

  void write(State state) throws IOException {
    ByteBuffer content = ByteBuffer.allocate(CONTENT);
    put(state.last(), content);
    content.putLong(state.forced());
    put(state.before(), content);
    state.boot().to(content);
    slots.write(content.flip());
  }

  /** Creates the folder before the first {@link #write}, because the log may be written before there is any key. */
  void createFolder() throws IOException {
    PrivateFiles.createFolder(Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file lies in a folder"));
  }

  private static AuditLink link(ByteBuffer content) {
    long seq = content.getLong();
    byte[] chain = new byte[AuditLink.CHAIN_BYTES];
    content.get(chain);
    return new AuditLink(seq, chain);
  }

  private static void put(AuditLink link, ByteBuffer content) {
    content.putLong(link.seq()).put(link.chain());
  }

  @Override
  public void close() throws IOException {
    slots.close();
  }
}
