package dev.gatehouse.idp.otp;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.key.SealingKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/**
 * Hashes of PINs: Argon2id (RFC 9106) by the parameters below, sealed under the installation's key, because ten thousand PINs of four
 * digits are soon tried. Half of the processors hash at a time, so that logins by passcode do not starve the rest.
 */
public final class PinHashes {

  /** Names the hash and its cost, for those who compute it elsewhere. */
  public static final String KIND = "argon2id-19456-2";

  private static final int MEMORY_KIB = 19_456;
  private static final int ITERATIONS = 2;
  private static final int SALT_BYTES = 16;
  private static final int HASH_BYTES = 32;
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

  private final SealingKey sealing;
  private final RandomGenerator random;
  private final HashPermits permits = new HashPermits(Math.max(1, Runtime.getRuntime().availableProcessors() / 2), LONGEST_WAIT);
  private final String nobodys;

  public PinHashes(SealingKey sealing, RandomGenerator random) {
    this.sealing = sealing;
    this.random = random;
    byte[] nothing = new byte[SALT_BYTES + HASH_BYTES];
    random.nextBytes(nothing);
    this.nobodys = Base64.getEncoder().encodeToString(nothing);
  }

  /** Returns whether it is the present PIN. Costs the same if there is none. */
  boolean isRight(String realm, Optional<PersonId> person, Optional<byte[]> sealedPins, String pin) {
    String hash = person.flatMap(known -> sealedPins.map(sealed -> open(realm, known, sealed).getFirst())).orElse(nobodys);
    return matches(hash, pin) && sealedPins.isPresent();
  }

  /** Returns whether it is the present PIN or one of the former. */
  boolean isKnown(String realm, PersonId person, Optional<byte[]> sealedPins, String pin) {
    return sealedPins.stream().flatMap(sealed -> open(realm, person, sealed).stream()).anyMatch(hash -> matches(hash, pin));
  }

  /** Seals a new PIN in front of {@code former} of those before. */
  byte[] sealed(String realm, PersonId person, Optional<byte[]> before, String pin, int former) {
    byte[] salt = new byte[SALT_BYTES];
    random.nextBytes(salt);
    byte[] both = java.util.Arrays.copyOf(salt, SALT_BYTES + HASH_BYTES);
    System.arraycopy(hash(salt, pin), 0, both, SALT_BYTES, HASH_BYTES);
    List<String> all = new ArrayList<>(List.of(Base64.getEncoder().encodeToString(both)));
    before.ifPresent(sealed -> all.addAll(open(realm, person, sealed)));
    String text = String.join("\n", all.subList(0, Math.min(all.size(), Math.max(1, former))));
    return sealing.seal(text.getBytes(StandardCharsets.UTF_8), context(realm, person));
  }

  private List<String> open(String realm, PersonId person, byte[] sealed) {
    return new String(sealing.open(sealed, context(realm, person)), StandardCharsets.UTF_8).lines().toList();
  }

  private boolean matches(String stored, String pin) {
    byte[] both = Base64.getDecoder().decode(stored);
    byte[] salt = java.util.Arrays.copyOf(both, SALT_BYTES);
    return MessageDigest.isEqual(hash(salt, pin), java.util.Arrays.copyOfRange(both, SALT_BYTES, both.length));
  }

  private byte[] hash(byte[] salt, String pin) {
    return permits.when(() -> argon2(salt, pin));
  }

  /**
   * The salt and hash of a PIN.
   *
   * @param hash from which the PIN is guessed, if it is four digits, in minutes
   */
  record Salted(byte[] salt, byte[] hash) {}

  /** Returns salt and hash of the present PIN. */
  Salted present(String realm, PersonId person, byte[] sealedPins) {
    byte[] both = Base64.getDecoder().decode(open(realm, person, sealedPins).getFirst());
    return new Salted(java.util.Arrays.copyOf(both, SALT_BYTES), java.util.Arrays.copyOfRange(both, SALT_BYTES, both.length));
  }

  /** Computes the hash of a PIN, of the kind {@link #KIND}. */
  public static byte[] argon2(byte[] salt, String pin) {
    Argon2BytesGenerator generator = new Argon2BytesGenerator();
    generator.init(
        new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
            .withVersion(Argon2Parameters.ARGON2_VERSION_13)
            .withMemoryAsKB(MEMORY_KIB)
            .withIterations(ITERATIONS)
            .withParallelism(1)
            .withSalt(salt)
            .build());
    byte[] hash = new byte[HASH_BYTES];
    generator.generateBytes(pin.getBytes(StandardCharsets.UTF_8), hash);
    return hash;
  }

  private static String[] context(String realm, PersonId person) {
    return new String[] {"otp-pin", realm, person.value()};
  }
}
