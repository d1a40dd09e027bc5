package dev.gatehouse.common.pkcs11;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.spec.MGF1ParameterSpec;
import java.util.Arrays;
import java.util.Optional;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;

/**
 * Removal of OAEP's padding (RFC 8017, section 7.1.2, step 3), for tokens that decrypt by RSA alone. All mistakes take the same way, and
 * no branch depends on a byte: where the padding is wrong must not be seen by the time (Manger's attack).
 */
final class OaepPadding {

  private OaepPadding() {}

  /** Returns the message; empty if the padding is wrong. */
  static Optional<byte[]> remove(byte[] padded, OAEPParameterSpec oaep) throws GeneralSecurityException {
    MessageDigest digest = MessageDigest.getInstance(oaep.getDigestAlgorithm());
    MessageDigest mask = MessageDigest.getInstance(((MGF1ParameterSpec) oaep.getMGFParameters()).getDigestAlgorithm());
    int length = digest.getDigestLength();
    if (padded.length < 2 * length + 2) {
      return Optional.empty();
    }
    byte[] seed = Arrays.copyOfRange(padded, 1, 1 + length);
    byte[] block = Arrays.copyOfRange(padded, 1 + length, padded.length);
    mask(seed, block, mask);
    mask(block, seed, mask);
    byte[] label = digest.digest(((PSource.PSpecified) oaep.getPSource()).getValue());
    int wrong = padded[0];
    for (int i = 0; i < length; i++) {
      wrong |= block[i] ^ label[i];
    }
    // After the label come zeros, a one, and the message.
    int begin = 0;
    int looking = -1;
    for (int i = length; i < block.length; i++) {
      int value = block[i] & 0xff;
      int isOne = mask(value ^ 1);
      int isZero = mask(value);
      begin |= looking & isOne & (i + 1);
      wrong |= looking & ~isOne & ~isZero;
      looking &= ~isOne;
    }
    wrong |= looking;
    Optional<byte[]> message = wrong == 0 ? Optional.of(Arrays.copyOfRange(block, begin, block.length)) : Optional.empty();
    Arrays.fill(block, (byte) 0);
    return message;
  }

  /** Returns all ones for zero, and zero for other values. */
  private static int mask(int value) {
    return ((value | -value) >> 31) ^ -1;
  }

  /** Applies the mask that comes from a seed (MGF1, appendix B.2.1). */
  private static void mask(byte[] to, byte[] seed, MessageDigest digest) {
    int at = 0;
    for (int counter = 0; at < to.length; counter++) {
      digest.update(seed);
      byte[] mask =
          digest.digest(new byte[] {(byte) (counter >>> 24), (byte) (counter >>> 16), (byte) (counter >>> 8), (byte) counter});
      for (int i = 0; i < mask.length && at < to.length; i++) {
        to[at++] ^= mask[i];
      }
    }
  }
}
