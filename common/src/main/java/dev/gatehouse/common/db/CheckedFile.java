package dev.gatehouse.common.db;

import static dev.gatehouse.common.db.ChunkFooter.BLOCK;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.h2.store.fs.FileBaseDefault;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * H2's file with checksums over all of its content. MVStore writes a chunk in one call, header first and footer last. The chunk's
 * checksum goes into the footer, so that chunk and checksum are complete or incomplete together. All chunks are read when the
 * file is opened. Blocks outside valid chunks cannot be read: H2 takes that for free space when it looks for chunks, and for an
 * error when it needs a page. Each block that is read later is verified as well.
 *
 * <p>The first two blocks are two copies of H2's header, each with a checksum of H2.
 */
final class CheckedFile extends FileBaseDefault {

  static final int HEADER_BLOCKS = 2;

  private static final Logger LOG = LoggerFactory.getLogger(CheckedFile.class);
  private static final int HEADER = HEADER_BLOCKS * BLOCK;
  private static final Map<Path, CheckedFile> OPEN = new ConcurrentHashMap<>();

  /** Bound while the whole file is copied, including free space. */
  static final ScopedValue<Boolean> COPYING = ScopedValue.newInstance();

  private final FileChannel base;
  private final Path file;
  private final boolean writable;
  private final BlockSums sums = new BlockSums();
  private final LastChunk last;
  private volatile long required;
  private volatile String damage = "";

  CheckedFile(FileChannel base, Path file, boolean writable) {
    this.base = base;
    this.file = file;
    this.writable = writable;
    this.last = new LastChunk(file);
  }

  static Optional<CheckedFile> open(Path file) {
    return Optional.ofNullable(OPEN.get(file));
  }

  /** Returns the damage found since the file was opened, if any. */
  Optional<String> damage() {
    return Optional.of(damage).filter(text -> !text.isEmpty());
  }

  /** @param opened the version that H2 found */
  void requireNewest(long opened) throws FileDamaged {
    if (opened < required) {
      throw damaged("ends with change " + opened + " of " + required);
    }
  }

  /** Scans the file, because H2 locks it before it reads or writes anything. */
  @Override
  public @Nullable FileLock tryLock(long position, long size, boolean shared) throws IOException {
    FileLock lock = base.tryLock(position, size, shared);
    if (lock != null) {
      try {
        required = last.required(ChunkScan.of(base, sums, writable));
        OPEN.put(file, this);
      } catch (IOException | RuntimeException e) {
        lock.release();
        throw e;
      }
    }
    return lock;
  }

  @SuppressWarnings("UnsynchronizedOverridesSynchronized") // The base channel takes a position with each call.
  @Override
  public int read(ByteBuffer dst, long position) throws IOException {
    if (position < HEADER) {
      ByteBuffer part = dst.slice(dst.position(), (int) Math.min(dst.remaining(), HEADER - position));
      int read = fromBase(part, position);
      dst.position(dst.position() + Math.max(0, read));
      return read;
    }
    long first = position / BLOCK;
    long end = (position + dst.remaining() + BLOCK - 1) / BLOCK;
    ByteBuffer blocks = ByteBuffer.allocate(Math.toIntExact((end - first) * BLOCK));
    while (blocks.hasRemaining() && fromBase(blocks, first * BLOCK + blocks.position()) >= 0) {
      // Read until all is there or the file ends.
    }
    blocks.flip();
    int skipped = (int) (position - first * BLOCK);
    int length = Math.min(dst.remaining(), blocks.limit() - skipped);
    if (length <= 0) {
      return dst.hasRemaining() ? -1 : 0;
    }
    check(first, blocks);
    dst.put(blocks.slice(skipped, length));
    return length;
  }

  private void check(long first, ByteBuffer blocks) throws IOException {
    for (int at = 0; at < blocks.limit(); at += BLOCK) {
      long block = first + at / BLOCK;
      ByteBuffer one = blocks.slice(at, Math.min(BLOCK, blocks.limit() - at));
      int before = sums.of(block);
      if (before == 0) {
        if (!COPYING.isBound()) {
          throw new FileDamaged("block " + block + " belongs to no whole chunk");
        }
      } else if (before != BlockSums.sum(one)) {
        verifyAgain(block, before, one);
      }
    }
  }

  /** Verifies a block once more: freed space may be overwritten while another thread still reads its former content. */
  private void verifyAgain(long block, int before, ByteBuffer one) throws IOException {
    if (sums.of(block) != before) {
      throw new IOException("Block " + block + " was written while it was read");
    }
    ByteBuffer read = ByteBuffer.allocate(one.limit());
    while (read.hasRemaining() && fromBase(read, block * BLOCK + read.position()) >= 0) {
      // Read until all is there or the file ends.
    }
    if (sums.of(block) != before) {
      throw new IOException("Block " + block + " was written while it was read");
    }
    if (BlockSums.sum(read.flip()) != before) {
      throw damaged("differs from the written content (block " + block + ")");
    }
    one.put(0, read, 0, read.limit());
  }

  @SuppressWarnings("UnsynchronizedOverridesSynchronized") // The base channel takes a position with each call.
  @Override
  public int write(ByteBuffer src, long position) throws IOException {
    int length = src.remaining();
    if (position < HEADER) {
      return toBase(src, position);
    }
    Optional<ChunkFooter> end = ChunkFooter.atEndOf(src);
    if (position % BLOCK != 0 || length % BLOCK != 0 || end.isEmpty()) {
      throw new IOException("H2 writes something other than a chunk at " + position);
    }
    ChunkFooter footer = end.get();
    int[] sumsOfBlocks = ChunkFooter.sumsOfBlocks(src);
    boolean isNew = footer.sum().isEmpty();
    if (isNew) {
      requireNewer(footer);
      footer.put(src, sumsOfBlocks);
    } else if (footer.sumOf(src, sumsOfBlocks) != footer.sum().orElseThrow()) {
      throw damaged("differs from the written content (a chunk that was to be moved)");
    }
    long first = position / BLOCK;
    sums.forget(first, sumsOfBlocks.length);
    int start = src.position();
    while (src.hasRemaining()) {
      toBase(src, position + src.position() - start);
    }
    sums.put(first, sumsOfBlocks);
    if (isNew) {
      last.write(footer.version());
    }
    return length;
  }

  /** Refuses to continue after a lost version: H2 would overwrite what is left of it. */
  private void requireNewer(ChunkFooter footer) throws FileDamaged {
    if (footer.version() <= required) {
      throw damaged("ends before change " + footer.version() + " of " + required);
    }
  }

  private FileDamaged damaged(String what) {
    if (damage.isEmpty()) {
      LOG.error("{} {}; the damaged part is not used", file, what);
      damage = what;
    }
    return new FileDamaged(what);
  }

  private int fromBase(ByteBuffer dst, long position) throws IOException {
    try {
      return base.read(dst, position);
    } catch (ClosedChannelException e) {
      // An interrupt of the thread closed the channel: H2 must see that the file is closed.
      close();
      throw e;
    }
  }

  private int toBase(ByteBuffer src, long position) throws IOException {
    try {
      return base.write(src, position);
    } catch (ClosedChannelException e) {
      close();
      throw e;
    }
  }

  @Override
  public long size() throws IOException {
    return base.size();
  }

  @Override
  protected void implTruncate(long size) throws IOException {
    sums.forgetFrom((size + BLOCK - 1) / BLOCK);
    base.truncate(size);
  }

  @Override
  public void force(boolean metaData) throws IOException {
    base.force(metaData);
  }

  @Override
  protected void implCloseChannel() throws IOException {
    OPEN.remove(file, this);
    try {
      last.close();
    } finally {
      base.close();
    }
  }

  /** Returns the path for H2's messages. */
  @Override
  public String toString() {
    return file.toString();
  }
}
