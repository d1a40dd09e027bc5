package dev.gatehouse.common.db;

import static dev.gatehouse.common.db.ChunkFooter.BLOCK;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds the valid chunks of H2's file. Free space and partly overwritten chunks lie between them. */
final class ChunkScan {

  /** A chunk of the former version, recognised by its header and footer only. */
  private record WithoutSum(long block, ChunkFooter footer) {
    boolean contains(long other) {
      return other > block && other < block + footer.blocks();
    }
  }

  private final FileChannel file;
  private final BlockSums sums;
  private final List<Long> found = new ArrayList<>();
  private final List<WithoutSum> withoutSum = new ArrayList<>();
  private long newest;

  private ChunkScan(FileChannel file, BlockSums sums) {
    this.file = file;
    this.sums = sums;
  }

  /**
   * Fills {@code sums} and returns the newest version.
   *
   * @param mayWrite whether to add checksums to chunks without one
   */
  static long of(FileChannel file, BlockSums sums, boolean mayWrite) throws IOException {
    ChunkScan scan = new ChunkScan(file, sums);
    scan.all();
    scan.adopt(mayWrite);
    return scan.newest;
  }

  private void all() throws IOException {
    long blocks = file.size() / BLOCK;
    ByteBuffer first = ByteBuffer.allocate(BLOCK);
    for (long block = CheckedFile.HEADER_BLOCKS; block < blocks; ) {
      read(block, first.clear());
      block += wholeChunk(block, blocks, ChunkFooter.announced(first));
    }
  }

  /** Returns the length of the valid chunk that begins here, or 1 if none does. */
  private int wholeChunk(long block, long blocks, Optional<ChunkFooter> announced) throws IOException {
    if (announced.isEmpty()) {
      return 1;
    }
    int length = announced.get().blocks();
    return length > 0 && block + length <= blocks && isWhole(block, announced.get()) ? length : 1;
  }

  private boolean isWhole(long block, ChunkFooter announced) throws IOException {
    ByteBuffer last = ByteBuffer.allocate(BLOCK);
    read(block + announced.blocks() - 1, last);
    Optional<ChunkFooter> end = ChunkFooter.atEndOf(last).filter(footer -> footer.ends(announced));
    if (end.isEmpty()) {
      return false;
    }
    ChunkFooter footer = end.get();
    if (footer.sum().isEmpty()) {
      // Another chunk may have overwritten its middle, so the scan continues inside it.
      withoutSum.add(new WithoutSum(block, footer));
      return false;
    }
    ByteBuffer chunk = chunk(block, footer);
    int[] sumsOfBlocks = ChunkFooter.sumsOfBlocks(chunk);
    if (footer.sumOf(chunk, sumsOfBlocks) != footer.sum().get()) {
      return false;
    }
    found(block, footer, sumsOfBlocks);
    return true;
  }

  private void found(long block, ChunkFooter footer, int[] sumsOfBlocks) {
    sums.put(block, sumsOfBlocks);
    found.add(block);
    newest = Math.max(newest, footer.version());
  }

  private void adopt(boolean mayWrite) throws IOException {
    for (WithoutSum chunk : withoutSum) {
      boolean isOverwritten =
          found.stream().anyMatch(chunk::contains)
              || withoutSum.stream().map(WithoutSum::block).anyMatch(chunk::contains);
      if (!isOverwritten) {
        adopt(chunk, mayWrite);
      }
    }
  }

  private void adopt(WithoutSum of, boolean mayWrite) throws IOException {
    ByteBuffer chunk = chunk(of.block(), of.footer());
    int[] sumsOfBlocks = ChunkFooter.sumsOfBlocks(chunk);
    if (mayWrite) {
      byte[] sum = of.footer().put(chunk, sumsOfBlocks);
      // The checksum lies within one sector: it is written completely or not at all.
      long at = (of.block() + of.footer().blocks()) * BLOCK - ChunkFooter.BYTES + of.footer().sumAt();
      file.write(ByteBuffer.wrap(sum), at);
    }
    found(of.block(), of.footer(), sumsOfBlocks);
  }

  private ByteBuffer chunk(long block, ChunkFooter footer) throws IOException {
    ByteBuffer chunk = ByteBuffer.allocate(Math.multiplyExact(footer.blocks(), BLOCK));
    read(block, chunk);
    return chunk;
  }

  private void read(long block, ByteBuffer into) throws IOException {
    long at = block * BLOCK;
    while (into.hasRemaining()) {
      int read = file.read(into, at + into.position());
      if (read < 0) {
        throw new EOFException("The file became shorter while it was read");
      }
    }
    into.flip();
  }
}
