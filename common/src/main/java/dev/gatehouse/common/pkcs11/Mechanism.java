package dev.gatehouse.common.pkcs11;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.security.spec.MGF1ParameterSpec;
import java.util.Optional;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;

/** A mechanism of PKCS#11 with its parameters ({@code CK_MECHANISM}). */
sealed interface Mechanism {

  /** One without parameters. */
  record Plain(long type) implements Mechanism {}

  /** {@code CKM_RSA_PKCS_PSS} by SHA-256 with a salt of 32 bytes. */
  record Pss() implements Mechanism {}

  /** {@code CKM_RSA_PKCS_OAEP}. */
  record Oaep(Hash hash, Hash mask, byte[] label) implements Mechanism {}

  /** What a mechanism calls a digest, by itself and in the mask generation function. */
  record Hash(long digest, long mask) {
    static final Hash SHA_256 = new Hash(0x250, 2);

    static Optional<Hash> of(String name) {
      return switch (name) {
        case "SHA-1" -> Optional.of(new Hash(0x220, 1));
        case "SHA-224" -> Optional.of(new Hash(0x255, 5));
        case "SHA-256" -> Optional.of(SHA_256);
        case "SHA-384" -> Optional.of(new Hash(0x260, 3));
        case "SHA-512" -> Optional.of(new Hash(0x270, 4));
        default -> Optional.empty();
      };
    }
  }

  Mechanism RSA_PKCS = new Plain(1);
  Mechanism RSA_X_509 = new Plain(3);
  Mechanism ECDSA = new Plain(0x1041);
  Mechanism PSS = new Pss();

  /** Returns the mechanism for these parameters, if PKCS#11 has a name for its digests. */
  static Optional<Mechanism> of(OAEPParameterSpec oaep) {
    byte[] label = ((PSource.PSpecified) oaep.getPSource()).getValue();
    return Hash.of(oaep.getDigestAlgorithm())
        .flatMap(
            hash ->
                Hash.of(((MGF1ParameterSpec) oaep.getMGFParameters()).getDigestAlgorithm())
                    .map(mask -> new Oaep(hash, mask, label)));
  }

  /** Writes it for a call. */
  default MemorySegment in(Arena arena) {
    return switch (this) {
      case Plain(long type) -> written(arena, type, MemorySegment.NULL, 0);
      case Pss pss -> {
        MemorySegment parameters = arena.allocate(24, 8);
        parameters.setAtIndex(JAVA_LONG, 0, Hash.SHA_256.digest());
        parameters.setAtIndex(JAVA_LONG, 1, Hash.SHA_256.mask());
        parameters.setAtIndex(JAVA_LONG, 2, 32);
        yield written(arena, 0xd, parameters, 24);
      }
      case Oaep(Hash hash, Hash mask, byte[] label) -> {
        MemorySegment parameters = arena.allocate(40, 8);
        parameters.setAtIndex(JAVA_LONG, 0, hash.digest());
        parameters.setAtIndex(JAVA_LONG, 1, mask.mask());
        // CKZ_DATA_SPECIFIED, also for an empty label.
        parameters.setAtIndex(JAVA_LONG, 2, 1);
        if (label.length > 0) {
          MemorySegment copy = arena.allocate(label.length);
          MemorySegment.copy(label, 0, copy, JAVA_BYTE, 0, label.length);
          parameters.set(ADDRESS, 24, copy);
          parameters.setAtIndex(JAVA_LONG, 4, label.length);
        }
        yield written(arena, 9, parameters, 40);
      }
    };
  }

  private static MemorySegment written(Arena arena, long type, MemorySegment parameters, long length) {
    MemorySegment mechanism = arena.allocate(24, 8);
    mechanism.set(JAVA_LONG, 0, type);
    mechanism.set(ADDRESS, 8, parameters);
    mechanism.set(JAVA_LONG, 16, length);
    return mechanism;
  }
}
