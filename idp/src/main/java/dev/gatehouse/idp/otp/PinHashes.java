package dev.gatehouse.idp.otp;

import dev.gatehouse.common.compute.ComputingThreads;
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
import org.springframework.beans.factory.annotation.Autowired;

/**
 * Hashes of PINs: Argon2id (RFC 9106), sealed under the installation's key, because ten thousand PINs of four
 * digits are soon tried. Half of the processors hash at a time, so that logins by passcode do not starve the rest.
 */
public final class PinHashes {

  private static final int SALT_BYTES = 16;
  private static final int HASH_BYTES = PinCost.HASH_BYTES;
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

  private final SealingKey sealing;
  private final RandomGenerator random;
  private final PinCost cost;
  private final HashPermits permits;
  private final String nobodys;

  @Autowired
  public PinHashes(SealingKey sealing, RandomGenerator random, PinCost cost) {
    this(sealing, random, cost, new HashPermits(ComputingThreads.usual(), LONGEST_WAIT));
  }

  PinHashes(SealingKey sealing, RandomGenerator random, PinCost cost, HashPermits permits) {
    this.permits = permits;
    this.sealing = sealing;
    this.random = random;
    this.cost = cost;
    byte[] nothing = new byte[SALT_BYTES + HASH_BYTES];
    random.nextBytes(nothing);
    this.nobodys = Base64.getEncoder().encodeToString(nothing);
  }

  /**
   * Returns whether it is the present PIN. Costs the same if there is none.
   *
   * @param source who waits for a turn; empty if the way in limits itself
   */
  boolean isRight(String realm, Optional<PersonId> person, Optional<byte[]> sealedPins, String pin, String source) {
    String hash = person.flatMap(known -> sealedPins.map(sealed -> open(realm, known, sealed).getFirst())).orElse(nobodys);
    return matches(hash, pin, source) && sealedPins.isPresent();
  }

  /** Returns how many hashes were computed since the start. */
  public long computed() {
    return permits.computed();
  }

  /**
   * Returns whether it is the present PIN or one of the former.
   *
   * @param source as that of {@link #isRight}; empty where what was typed before was right
   */
  boolean isKnown(String realm, PersonId person, Optional<byte[]> sealedPins, String pin, String source) {
    return sealedPins.stream().flatMap(sealed -> open(realm, person, sealed).stream()).anyMatch(hash -> matches(hash, pin, source));
  }

  /** Seals a new PIN in front of {@code former} of those before. */
  byte[] sealed(String realm, PersonId person, Optional<byte[]> before, String pin, int former) {
    byte[] salt = new byte[SALT_BYTES];
    random.nextBytes(salt);
    byte[] both = java.util.Arrays.copyOf(salt, SALT_BYTES + HASH_BYTES);
    System.arraycopy(hash(salt, pin, ""), 0, both, SALT_BYTES, HASH_BYTES);
    List<String> all = new ArrayList<>(List.of(Base64.getEncoder().encodeToString(both)));
    before.ifPresent(sealed -> all.addAll(open(realm, person, sealed)));
    String text = String.join("\n", all.subList(0, Math.min(all.size(), Math.max(1, former))));
    return sealing.seal(text.getBytes(StandardCharsets.UTF_8), context(realm, person));
  }

  private List<String> open(String realm, PersonId person, byte[] sealed) {
    return new String(sealing.open(sealed, context(realm, person)), StandardCharsets.UTF_8).lines().toList();
  }

  private boolean matches(String stored, String pin, String source) {
    byte[] both = Base64.getDecoder().decode(stored);
    byte[] salt = java.util.Arrays.copyOf(both, SALT_BYTES);
    return MessageDigest.isEqual(hash(salt, pin, source), java.util.Arrays.copyOfRange(both, SALT_BYTES, both.length));
  }

  private byte[] hash(byte[] salt, String pin, String source) {
    return permits.when(source, () -> cost.hash(salt, pin));
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

  /** The name of the hash and its cost, for those who compute it elsewhere. */
  public String kind() {
    return cost.kind();
  }

  private static String[] context(String realm, PersonId person) {
    return new String[] {"otp-pin", realm, person.value()};
  }
}
