package dev.gatehouse.idp.otp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What an agent keeps of the codes of offline days: of each code, together with the PIN, sixteen bits. About fifteen of a million codes
 * have the same bits, whichever PIN they are tried with; so whoever steals them can tell neither the PIN nor the codes, however many they try.
 */
public final class OfflineCodes {

  /** Bytes of one code. */
  public static final int BYTES = 2;

  private static final String ALGORITHM = "HmacSHA256";

  private final Mac mac;

  /**
   * @param pinHash of the kind {@link PinHashes#kind}
   * @param serial of the token
   */
  public OfflineCodes(byte[] pinHash, String serial) {
    try {
      mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(pinHash, ALGORITHM));
      byte[] key = mac.doFinal(("gatehouse-offline-codes " + serial).getBytes(StandardCharsets.UTF_8));
      mac.init(new SecretKeySpec(key, ALGORITHM));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the bits of a code at a time step. */
  public short bits(long step, String code) {
    mac.update(ByteBuffer.allocate(Long.BYTES).putLong(step).flip());
    byte[] hash = mac.doFinal(code.getBytes(StandardCharsets.UTF_8));
    return ByteBuffer.wrap(hash).getShort();
  }
}
