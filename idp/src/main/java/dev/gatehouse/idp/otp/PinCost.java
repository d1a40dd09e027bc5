package dev.gatehouse.idp.otp;

import java.nio.charset.StandardCharsets;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/** The hash of a PIN and what it costs. It is no setting: tests that need many hashes have cheap ones. */
public record PinCost(int memoryKib, int iterations) {

  static final int HASH_BYTES = 32;

  /** The least that OWASP recommends for Argon2id. */
  public static final PinCost USUAL = new PinCost(19_456, 2);

  /** The name of the hash and its cost, for those who compute it elsewhere. */
  public String kind() {
    return "argon2id-" + memoryKib + "-" + iterations;
  }

  /** Computes the hash of a PIN, 32 bytes. */
  public byte[] hash(byte[] salt, String pin) {
    Argon2BytesGenerator generator = new Argon2BytesGenerator();
    generator.init(
        new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
            .withVersion(Argon2Parameters.ARGON2_VERSION_13)
            .withMemoryAsKB(memoryKib)
            .withIterations(iterations)
            .withParallelism(1)
            .withSalt(salt)
            .build());
    byte[] hash = new byte[HASH_BYTES];
    generator.generateBytes(pin.getBytes(StandardCharsets.UTF_8), hash);
    return hash;
  }
}
