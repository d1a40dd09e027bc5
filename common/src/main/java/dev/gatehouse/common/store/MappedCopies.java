package dev.gatehouse.common.store;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies in one file that is mapped into memory: the operating system has as much of it in memory as there is room for. A table of
 * positions, eight bytes for each slot, is on the heap. Nothing is forced to disk, and the file goes with the process.
 *
 * <p>A record is the number of bytes that it may have, the lengths of key and copy, and both. A longer copy of the same key gets a record
 * of its own, and the place of the former one is lost until the next start.
 */
final class MappedCopies implements CopyStore, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(MappedCopies.class);

  /** The most bytes of key and copy. */
  private static final int LONGEST = 16 << 10;

  private static final int PARTS = 16;
  private static final int FIRST_PIECE = 64 << 10;
  private static final int DOUBLED = 6;
  private static final long MOST_BYTES = 8L << 30;
  private static final int HEAD = 3 * Integer.BYTES;
  private static final int POSITION_BITS = 40;
  private static final int OFFSET_BITS = 24;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

  private final Path path;
  private final FileChannel file;
  private final Part[] parts = new Part[PARTS];
  private final ReentrantLock growing = new ReentrantLock();
  private long size;
  private volatile boolean isClosed;
  private volatile boolean isFull;

  private MappedCopies(Path path, FileChannel file) {
    this.path = path;
    this.file = file;
    Arrays.setAll(parts, i -> new Part());
  }

  /** Makes an empty file in place of one of a former process; empty if that is not possible. */
  static Optional<MappedCopies> open(Path folder, String name) {
    Path path = folder.resolve(name);
    try {
      Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      Files.deleteIfExists(path);
      FileChannel file =
          FileChannel.open(
              path,
              Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      return Optional.of(new MappedCopies(path, file));
    } catch (IOException e) {
      LOG.warn("No copies can be kept in {}, so more is read from the database", path, e);
      return Optional.empty();
    }
  }

  @Override
  public Optional<byte[]> get(String key) {
    byte[] name = Bytes.utf8(key);
    long hash = hash(name);
    if (isClosed) {
      return Optional.empty();
    }
    try {
      return part(hash).get(name, hash);
    } catch (InternalError e) {
      failed(e);
      return Optional.empty();
    }
  }

  @Override
  public boolean put(String key, byte[] copy) {
    byte[] name = Bytes.utf8(key);
    long hash = hash(name);
    if (isClosed || name.length + copy.length > LONGEST) {
      return false;
    }
    try {
      return part(hash).put(name, hash, copy);
    } catch (InternalError e) {
      failed(e);
      return false;
    }
  }

  /** The machine says so where a page cannot be read: the disk failed, or somebody cut the file off. */
  private void failed(InternalError e) {
    isClosed = true;
    LOG.warn("{} cannot be read any more, so more is read from the database until the next start", path, e);
  }

  private Part part(long hash) {
    return parts[(int) hash & PARTS - 1];
  }

  /** FNV-1a, with the finalizer of MurmurHash 3, because slots are chosen by the lower bits. */
  private static long hash(byte[] key) {
    long hash = 0xcbf29ce484222325L;
    for (byte b : key) {
      hash = (hash ^ b) * 0x100000001b3L;
    }
    hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
    hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
    return hash ^ hash >>> 33;
  }

  /**
   * Returns the next bytes of the file. They are written before they are mapped: a full disk is an exception here, and would end the
   * process at the first access to a page that has no place.
   */
  private Optional<MemorySegment> grown(int bytes) {
    growing.lock();
    try {
      if (isFull || size + bytes > MOST_BYTES) {
        isFull = true;
        return Optional.empty();
      }
      ByteBuffer zeros = ByteBuffer.allocate(bytes);
      while (zeros.hasRemaining()) {
        file.write(zeros, size + zeros.position());
      }
      MemorySegment piece = file.map(FileChannel.MapMode.READ_WRITE, size, bytes, Arena.ofAuto());
      size += bytes;
      return Optional.of(piece);
    } catch (IOException e) {
      isFull = true;
      LOG.warn("{} cannot grow, so more is read from the database until the next start", path, e);
      return Optional.empty();
    } finally {
      growing.unlock();
    }
  }

  @Override
  public void close() {
    isClosed = true;
    growing.lock();
    try {
      isFull = true;
      file.close();
      Files.deleteIfExists(path);
    } catch (IOException e) {
      LOG.debug("{} stays until the next start", path, e);
    } finally {
      growing.unlock();
    }
  }

  /** A table of its own, and its pieces of the file. All is used under its lock. */
  private final class Part {

    private final ReentrantLock lock = new ReentrantLock();
    private final List<MemorySegment> pieces = new ArrayList<>();
    private int free;

    /** The position of a record, one more than it is, and above it bits of the key's hash; zero for an empty slot. */
    private long[] slots = new long[256];

    private int used;

    Optional<byte[]> get(byte[] key, long hash) {
      lock.lock();
      try {
        long slot = slots[find(key, hash)];
        if (slot == 0) {
          return Optional.empty();
        }
        MemorySegment piece = piece(slot);
        long at = offset(slot);
        byte[] copy = new byte[piece.get(INT, at + 2 * Integer.BYTES)];
        MemorySegment.copy(piece, BYTE, at + HEAD + key.length, copy, 0, copy.length);
        return Optional.of(copy);
      } finally {
        lock.unlock();
      }
    }

    boolean put(byte[] key, long hash, byte[] copy) {
      lock.lock();
      try {
        int found = find(key, hash);
        long slot = slots[found];
        if (slot == 0 || piece(slot).get(INT, offset(slot)) < key.length + copy.length) {
          long position = reserve(key.length + copy.length);
          if (position < 0) {
            return false;
          }
          used += slot == 0 ? 1 : 0;
          slot = (hash >>> POSITION_BITS) << POSITION_BITS | position + 1;
          slots[found] = slot;
          MemorySegment.copy(key, 0, piece(slot), BYTE, offset(slot) + HEAD, key.length);
          piece(slot).set(INT, offset(slot) + Integer.BYTES, key.length);
        }
        piece(slot).set(INT, offset(slot) + 2 * Integer.BYTES, copy.length);
        MemorySegment.copy(copy, 0, piece(slot), BYTE, offset(slot) + HEAD + key.length, copy.length);
        if (used > slots.length / 2) {
          grow();
        }
        return true;
      } finally {
        lock.unlock();
      }
    }

    /** Returns the slot of the key, or the empty one that it may have. */
    private int find(byte[] key, long hash) {
      int at = (int) (hash >>> 4) & slots.length - 1;
      while (slots[at] != 0 && !(slots[at] >>> POSITION_BITS == hash >>> POSITION_BITS && isOf(slots[at], key))) {
        at = at + 1 & slots.length - 1;
      }
      return at;
    }

    private boolean isOf(long slot, byte[] key) {
      MemorySegment piece = piece(slot);
      long at = offset(slot);
      return piece.get(INT, at + Integer.BYTES) == key.length
          && MemorySegment.mismatch(piece, at + HEAD, at + HEAD + key.length, MemorySegment.ofArray(key), 0, key.length) < 0;
    }

    private MemorySegment piece(long slot) {
      return pieces.get((int) (position(slot) >>> OFFSET_BITS));
    }

    private static long offset(long slot) {
      return position(slot) & (1L << OFFSET_BITS) - 1;
    }

    private static long position(long slot) {
      return (slot & (1L << POSITION_BITS) - 1) - 1;
    }

    /** Returns the position of a new record with some room to grow, whose first number is set; a negative number if there is no place. */
    private long reserve(int bytes) {
      int room = bytes + bytes / 8;
      if (pieces.isEmpty() || pieces.getLast().byteSize() - free < HEAD + room) {
        Optional<MemorySegment> more = grown(FIRST_PIECE << Math.min(pieces.size(), DOUBLED));
        if (more.isEmpty()) {
          return -1;
        }
        pieces.add(more.get());
        free = 0;
      }
      pieces.getLast().set(INT, free, room);
      long position = (long) (pieces.size() - 1) << OFFSET_BITS | free;
      free += HEAD + room;
      return position;
    }

    /** Doubles the table. */
    private void grow() {
      long[] before = slots;
      slots = new long[2 * before.length];
      for (long slot : before) {
        if (slot != 0) {
          int at = (int) (hash(key(slot)) >>> 4) & slots.length - 1;
          while (slots[at] != 0) {
            at = at + 1 & slots.length - 1;
          }
          slots[at] = slot;
        }
      }
    }

    private byte[] key(long slot) {
      byte[] key = new byte[piece(slot).get(INT, offset(slot) + Integer.BYTES)];
      MemorySegment.copy(piece(slot), BYTE, offset(slot) + HEAD, key, 0, key.length);
      return key;
    }
  }
}
