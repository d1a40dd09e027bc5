package dev.gatehouse.common.fuzz;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Inputs that differ from a seed in a few places: bits are flipped, parts are missing, doubled, or those of another seed. */
final class Neighbours {

  private final List<byte[]> seeds;
  private final Random random;

  /** @param seeds at least one */
  Neighbours(List<byte[]> seeds, Random random) {
    this.seeds = seeds;
    this.random = random;
  }

  byte[] next() {
    byte[] input = any();
    for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
      input = changed(input);
    }
    return input;
  }

  private byte[] any() {
    return seeds.get(random.nextInt(seeds.size())).clone();
  }

  private byte[] changed(byte[] input) {
    if (input.length == 0) {
      return new byte[] {(byte) random.nextInt()};
    }
    int from = random.nextInt(input.length);
    int to = from + random.nextInt(Math.min(64, input.length - from) + 1);
    switch (random.nextInt(5)) {
      case 0 -> input[from] ^= (byte) (1 << random.nextInt(8));
      case 1 -> input[from] = (byte) random.nextInt();
      case 2 -> {
        return joined(input, from, new byte[0], to);
      }
      case 3 -> {
        return joined(input, to, Arrays.copyOfRange(input, from, to), to);
      }
      default -> {
        byte[] other = any();
        int at = other.length == 0 ? 0 : random.nextInt(other.length);
        return joined(input, from, Arrays.copyOfRange(other, at, Math.min(other.length, at + 64)), to);
      }
    }
    return input;
  }

  /** The input up to a place, the part, and the input from another place on. */
  private static byte[] joined(byte[] input, int end, byte[] part, int begin) {
    byte[] whole = Arrays.copyOf(input, end + part.length + input.length - begin);
    System.arraycopy(part, 0, whole, end, part.length);
    System.arraycopy(input, begin, whole, end + part.length, input.length - begin);
    return whole;
  }
}
