package dev.gatehouse.common.db;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * The last bytes of a chunk of H2's MVStore: the chunk's identity, H2's own checksum of these words, and blanks. We write the
 * checksum of the whole chunk into the blanks: {@code ,sum:} and eight hexadecimal digits. H2 reads only up to its own checksum,
 * so an unmodified H2 can read a file with our checksums.
 *
 * @param id of the chunk; grows, and is reused after a long time
 * @param blocks the chunk's length in blocks
 * @param version grows with each chunk that is stored; stays the same when a chunk is moved
 * @param sumAt the offset of the checksum in the footer, whether it is present or not
 * @param sum empty in files of the former version
 */
record ChunkFooter(int id, int blocks, long version, int sumAt, Optional<Integer> sum) {

  static final int BLOCK = 4096;
  static final int BYTES = 128;
  private static final int LONGEST_HEADER = 1024;
  private static final byte[] BLANK = " ".repeat(",sum:".length() + 2 * Integer.BYTES).getBytes(StandardCharsets.ISO_8859_1);

  private static final Pattern HEADER =
      Pattern.compile("chunk:([0-9a-f]{1,8}),len:([0-9a-f]{1,8}),[^\n]*?,version:([0-9a-f]{1,16})[ ,\n]");
  private static final Pattern FOOTER =
      Pattern.compile(
          "chunk:([0-9a-f]{1,8}),len:([0-9a-f]{1,8}),version:([0-9a-f]{1,16}),fletcher:[0-9a-f]{1,8}(,sum:([0-9a-f]{8}))? +\n");

  /** Returns the footer that a chunk's first block announces, without {@code sum}; empty if no chunk begins in the block. */
  static Optional<ChunkFooter> announced(ByteBuffer block) {
    if (block.remaining() < LONGEST_HEADER || block.get(block.position()) != 'c') {
      return Optional.empty();
    }
    return parse(HEADER.matcher(text(block, block.position(), LONGEST_HEADER)), Matcher::lookingAt)
        .map(match -> of(match, 0, Optional.empty()));
  }

  /** Parses the end of these bytes as a footer. */
  static Optional<ChunkFooter> atEndOf(ByteBuffer chunk) {
    if (chunk.remaining() < BYTES) {
      return Optional.empty();
    }
    return parse(FOOTER.matcher(text(chunk, chunk.limit() - BYTES, BYTES)), Matcher::matches).map(ChunkFooter::footer);
  }

  private interface Match {
    boolean fits(Matcher matcher);
  }

  private static Optional<Matcher> parse(Matcher matcher, Match match) {
    return match.fits(matcher) ? Optional.of(matcher) : Optional.empty();
  }

  private static ChunkFooter footer(Matcher match) {
    Optional<Integer> sum = Optional.ofNullable(match.group(5)).map(HexFormat::fromHexDigits);
    String text = match.group();
    return of(match, sum.isPresent() ? match.start(4) : text.stripTrailing().length(), sum);
  }

  private static ChunkFooter of(Matcher match, int sumAt, Optional<Integer> sum) {
    return new ChunkFooter(
        HexFormat.fromHexDigits(match.group(1)),
        HexFormat.fromHexDigits(match.group(2)),
        HexFormat.fromHexDigitsToLong(match.group(3)),
        sumAt,
        sum);
  }

  private static String text(ByteBuffer from, int at, int length) {
    byte[] bytes = new byte[length];
    from.get(at, bytes);
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** Returns whether this is the announced footer. */
  boolean ends(ChunkFooter announced) {
    return id == announced.id && blocks == announced.blocks && version == announced.version;
  }

  /** Returns the checksum of each block of a whole chunk. */
  static int[] sumsOfBlocks(ByteBuffer chunk) {
    int[] sums = new int[chunk.remaining() / BLOCK];
    for (int i = 0; i < sums.length; i++) {
      sums[i] = sumOfBlock(chunk.slice(chunk.position() + i * BLOCK, BLOCK));
    }
    return sums;
  }

  static int sumOfBlock(ByteBuffer block) {
    CRC32C sum = new CRC32C();
    sum.update(block.duplicate());
    return (int) sum.getValue();
  }

  /** Returns the checksum of a whole chunk: of its blocks' checksums, that of the last block calculated with a blank sum. */
  int sumOf(ByteBuffer chunk, int[] sumsOfBlocks) {
    CRC32C all = new CRC32C();
    for (int i = 0; i < sumsOfBlocks.length - 1; i++) {
      add(all, sumsOfBlocks[i]);
    }
    add(all, sum.isPresent() ? sumOfLastBlank(chunk) : sumsOfBlocks[sumsOfBlocks.length - 1]);
    return (int) all.getValue();
  }

  private int sumOfLastBlank(ByteBuffer chunk) {
    ByteBuffer blank = ByteBuffer.allocate(BLOCK).put(chunk.slice(chunk.limit() - BLOCK, BLOCK)).flip();
    blank.put(BLOCK - BYTES + sumAt, BLANK);
    return sumOfBlock(blank);
  }

  private static void add(CRC32C all, int sum) {
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      all.update(sum >>> shift);
    }
  }

  /** Writes the checksum into a chunk without one, updates the last entry of {@code sumsOfBlocks} and returns the written bytes. */
  byte[] put(ByteBuffer chunk, int[] sumsOfBlocks) {
    byte[] text =
        (",sum:" + HexFormat.of().toHexDigits(sumOf(chunk, sumsOfBlocks))).getBytes(StandardCharsets.ISO_8859_1);
    chunk.put(chunk.limit() - BYTES + sumAt, text);
    sumsOfBlocks[sumsOfBlocks.length - 1] = sumOfBlock(chunk.slice(chunk.limit() - BLOCK, BLOCK));
    return text;
  }
}
