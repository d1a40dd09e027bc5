package dev.gatehouse.perf.otp;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.otp.JdbcTokens;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.idp.otp.PinCost;
import dev.gatehouse.idp.otp.PinHashes;
import dev.gatehouse.idp.otp.TokenSeeds;
import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.data.Progress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/**
 * A TOTP token and a PIN for each person of {@link People}. Seeds follow from the person's number and all PINs are the same, so that load
 * generators need no file.
 */
final class OtpPeople {

  static final String REALM = "bench";
  static final String PIN = "2468";
  static final int DIGITS = 6;

  private static final int BATCH = 1000;
  private static final int SALT_BYTES = 16;
  private static final int HASH_BYTES = 32;
  private static final int SECONDS = 30;
  private static final int CODES = 1_000_000;

  /** How the server hashes PINs. */
  enum PinHash {
    /** As it is. */
    ARGON2ID,
    /** Put aside by {@code perf/patches/no-pin-hash.patch}. */
    ASIDE
  }

  private OtpPeople() {}

  /** Stores tokens and PINs in the data of a node that does not run. */
  static void store(Path data, int people, PinHash hash) throws SQLException {
    SecureRandom random = new SecureRandom();
    SealingKey sealing = new SealingKey(data, random);
    Progress progress = new Progress("tokens stored", people, System.err);
    try (Database database = Database.embedded(data)) {
      TokenSeeds seeds = new TokenSeeds(new JdbcTokens(database), new PinHashes(sealing, random, PinCost.USUAL), sealing);
      byte[] pin = pin(hash, random);
      try (Connection connection = database.dataSource().getConnection();
          PreparedStatement tokens =
              connection.prepareStatement(
                  "insert into otp_token (realm, serial, kind, hash, digits, period, sealed_seed, state, person_id, last_used, drift)"
                      + " values (?, ?, 'TOTP', 'SHA1', 6, 30, ?, 'ENABLED', ?, -1, 0)");
          PreparedStatement holders =
              connection.prepareStatement(
                  "insert into otp_person (realm, person_id, sealed_pins, new_pin, wrong_passcodes) values (?, ?, ?, false, 0)")) {
        connection.setAutoCommit(false);
        for (int n = 1; n <= people; n++) {
          Token token = seeds.token(REALM, serial(n), TokenType.USUAL, seed(n), 0, Optional.empty());
          add(tokens, REALM, token.serial(), token.sealedSeed(), People.name(n));
          add(holders, REALM, People.name(n), sealing.seal(pin, "otp-pin", REALM, new PersonId(People.name(n)).value()));
          if (n % BATCH == 0 || n == people) {
            tokens.executeBatch();
            holders.executeBatch();
            connection.commit();
            progress.accept(n);
          }
        }
      }
    }
  }

  static void add(PreparedStatement statement, Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
    statement.addBatch();
  }

  /** One hash for all, because a million of them would take hours. */
  private static byte[] pin(PinHash hash, SecureRandom random) {
    byte[] salt = new byte[SALT_BYTES];
    random.nextBytes(salt);
    byte[] both = Arrays.copyOf(salt, SALT_BYTES + HASH_BYTES);
    byte[] typed = PIN.getBytes(StandardCharsets.UTF_8);
    byte[] hashed = hash == PinHash.ARGON2ID ? argon2id(salt, typed) : Arrays.copyOf(typed, HASH_BYTES);
    System.arraycopy(hashed, 0, both, SALT_BYTES, HASH_BYTES);
    return Base64.getEncoder().encodeToString(both).getBytes(StandardCharsets.UTF_8);
  }

  /** The parameters of {@link PinHashes}. */
  private static byte[] argon2id(byte[] salt, byte[] pin) {
    Argon2BytesGenerator generator = new Argon2BytesGenerator();
    generator.init(
        new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
            .withVersion(Argon2Parameters.ARGON2_VERSION_13)
            .withMemoryAsKB(19_456)
            .withIterations(2)
            .withParallelism(1)
            .withSalt(salt)
            .build());
    byte[] hash = new byte[HASH_BYTES];
    generator.generateBytes(pin, hash);
    return hash;
  }

  static byte[] seed(int n) {
    return Arrays.copyOf(ByteBuffer.allocate(20).putInt(0x5eed).putInt(n).putInt(~n).putInt(n * 31).array(), 20);
  }

  /** The serial number of a person's token. */
  static String serial(int n) {
    return "t" + People.name(n);
  }

  /** The time step of now. */
  static long step() {
    return System.currentTimeMillis() / 1000 / SECONDS;
  }

  /** PIN and code of a person at a time step (RFC 6238). */
  static String passcode(int n, long step) {
    return PIN + code(n, step);
  }

  private static String digits(int code) {
    String digits = Integer.toString(code);
    return "0".repeat(DIGITS - digits.length()) + digits;
  }

  /** The codes that a node may take now, whose clock is a step further at most. */
  static Set<String> codesNear(int n, long step) {
    return LongStream.rangeClosed(step - 2, step + 2).mapToObj(near -> code(n, near)).collect(Collectors.toSet());
  }

  /** A code that a node does not take now. */
  static String wrongCode(int n, long step) {
    Set<String> right = codesNear(n, step);
    return IntStream.range(0, CODES).mapToObj(OtpPeople::digits).filter(code -> !right.contains(code)).findFirst().orElseThrow();
  }

  /** The code of the token that has the seed of this number. */
  static String code(int n, long step) {
    try {
      Mac mac = Mac.getInstance("HmacSHA1");
      mac.init(new SecretKeySpec(seed(n), "RAW"));
      byte[] hash = mac.doFinal(ByteBuffer.allocate(Long.BYTES).putLong(step).array());
      int truncated = ByteBuffer.wrap(hash).getInt(hash[hash.length - 1] & 0xf) & 0x7fffffff;
      return digits(truncated % CODES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
