package dev.gatehouse.common.audit;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.ZipException;

/**
 * The head of a member of an archived file (RFC 1952, section 2.3). Its extra field has the sizes of the member, so that a reader passes it
 * without unzipping it, and the checksum of the head. Other programs skip that field.
 *
 * @param size number of bytes of the member behind the head
 * @param content number of bytes of its content; 0 for the member that ends a file
 */
record MemberHead(int size, int content) {

  static final int LENGTH = 28;

  /** The number of bytes of a head without an extra field, as {@link java.util.zip.GZIPOutputStream} writes it. */
  static final int PLAIN = 10;

  /** No member has more content. */
  static final int MOST = 1 << 17;

  private static final int FLAGS_AT = 3;
  private static final int EXTRA_FIELD = 4;
  private static final int SIZES_AT = 16;
  private static final int CHECKED = 24;
  private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

  /** Magic number, method, flags, time, system; the lengths of the extra field, and of its only part with its name. */
  private static final byte[] BEGIN = {0x1f, (byte) 0x8b, 8, EXTRA_FIELD, 0, 0, 0, 0, 0, (byte) 0xff, 16, 0, 'G', 'H', 12, 0};

  byte[] toBytes() {
    byte[] bytes = new byte[LENGTH];
    ByteBuffer head = ByteBuffer.wrap(bytes).order(ORDER).put(BEGIN).putInt(size).putInt(content);
    head.putInt(sum(bytes));
    return bytes;
  }

  /** Returns whether a file that begins so has heads with sizes; a file of a former version has none. */
  static boolean isAtBegin(byte[] begin) {
    return begin.length > FLAGS_AT && (begin[FLAGS_AT] & EXTRA_FIELD) != 0;
  }

  /** @throws ZipException if these bytes are no whole head */
  static MemberHead of(byte[] bytes) throws ZipException {
    if (bytes.length < LENGTH) {
      throw new ZipException("it is cut off");
    }
    ByteBuffer head = ByteBuffer.wrap(bytes).order(ORDER);
    MemberHead read = new MemberHead(head.getInt(SIZES_AT), head.getInt(SIZES_AT + Integer.BYTES));
    // More than its content no member takes, but for some bytes.
    boolean isPossible = read.content >= 0 && read.content <= MOST && read.size >= 0 && read.size <= 2 * MOST;
    if (head.getInt(CHECKED) != sum(bytes) || !isPossible) {
      throw new ZipException("the head of a member is another one than was written");
    }
    return read;
  }

  private static int sum(byte[] head) {
    CRC32 sum = new CRC32();
    sum.update(head, 0, CHECKED);
    return (int) sum.getValue();
  }
}
