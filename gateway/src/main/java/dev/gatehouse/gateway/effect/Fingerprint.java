package dev.gatehouse.gateway.effect;

/**
 * A 64-bit hash of a few texts and numbers, evenly distributed over all bits. It begins with a secret seed, so that nobody can choose
 * requests that displace others from the sample.
 */
final class Fingerprint {

  private static final long FACTOR = 0x9E3779B97F4A7C15L;

  private Fingerprint() {}

  /** Continues a hash with a text. */
  static long with(long hash, String text) {
    long result = hash;
    for (int i = 0; i < text.length(); i++) {
      result = (result ^ text.charAt(i)) * FACTOR;
    }
    return mixed(result ^ text.length());
  }

  /** Continues a hash with a number. */
  static long with(long hash, int number) {
    return mixed((hash ^ number) * FACTOR);
  }

  /** Returns whether a fingerprint belongs to the sample of one in 2 to the power of {@code halvings}. */
  static boolean isSampled(long fingerprint, int halvings) {
    return halvings == 0 || fingerprint >>> (Long.SIZE - halvings) == 0;
  }

  /** The finalizer of MurmurHash3. */
  private static long mixed(long value) {
    long result = (value ^ (value >>> 33)) * 0xff51afd7ed558ccdL;
    result = (result ^ (result >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return result ^ (result >>> 33);
  }
}
