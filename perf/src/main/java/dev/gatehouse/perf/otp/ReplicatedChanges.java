package dev.gatehouse.perf.otp;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.common.otp.Tokens;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/** What each kind of change costs on the line to a replica, and how long new people take. */
final class ReplicatedChanges {

  private static final String REALM = "bench";

  /** As long as those that a node seals. */
  private static final byte[] SEALED = new byte[96];

  private static final int NEW_PEOPLE = 100;
  private static final long QUIET_MILLIS = 10_000;

  private final Tokens primary;
  private final Tokens replica;
  private final CountedLine line;

  ReplicatedChanges(Tokens primary, Tokens replica, CountedLine line) {
    this.primary = primary;
    this.replica = replica;
    this.line = line;
  }

  /** Returns the seconds until the last of a hundred new people with token and PIN is at the replica. */
  double newPeople() throws InterruptedException {
    long begun = System.nanoTime();
    for (int n = 1; n <= NEW_PEOPLE; n++) {
      String serial = "q" + n;
      primary.add(REALM, List.of(token(serial)));
      primary.assign(REALM, serial, person("q", n));
      primary.keepPins(REALM, person("q", n), Optional.of(SEALED), false);
    }
    await(() -> replica.holder(REALM, person("q", NEW_PEOPLE)).sealedPins().isPresent());
    return (System.nanoTime() - begun) / 1e9;
  }

  /** Returns the bytes in both directions by kind of change, each change alone, without what idle servers say to each other. */
  Map<String, Double> bytes(int changes) throws InterruptedException {
    double quietPerSecond = quietPerSecond();
    Instant end = Instant.now().plus(Duration.ofDays(1));
    Map<String, IntConsumer> kinds = new LinkedHashMap<>();
    kinds.put("new token", n -> primary.add(REALM, List.of(token("r" + n))));
    kinds.put("token assigned, with the person's row", n -> primary.assign(REALM, "r" + n, person("r", n)));
    kinds.put("PIN", n -> primary.keepPins(REALM, person("r", n), Optional.of(SEALED), false));
    kinds.put("state of a token", n -> primary.change(REALM, "r" + n, Token.State.LOST));
    kinds.put("wrong passcode", n -> primary.countWrong(REALM, person("r", n), 10, Optional.empty()));
    kinds.put("temporary password", n -> primary.keepEmergency(REALM, person("r", n), Set.of("0".repeat(64)), true, end));
    kinds.put("token taken back and removed", n -> primary.remove(REALM, "r" + n));
    Map<String, Double> bytes = new LinkedHashMap<>();
    for (Map.Entry<String, IntConsumer> kind : kinds.entrySet()) {
      long before = line.bytes();
      long begun = System.nanoTime();
      for (int n = 1; n <= changes; n++) {
        kind.getValue().accept(n);
      }
      // Changes come in their order: behind this one there is none.
      Token.State mark = find(primary, "t3").state() == Token.State.ENABLED ? Token.State.DISABLED : Token.State.ENABLED;
      primary.change(REALM, "t3", mark);
      await(() -> find(replica, "t3").state() == mark);
      bytes.put(kind.getKey(), (line.bytes() - before - quietPerSecond * (System.nanoTime() - begun) / 1e9) / changes);
    }
    return bytes;
  }

  private double quietPerSecond() throws InterruptedException {
    Thread.sleep(QUIET_MILLIS / 5);
    long before = line.bytes();
    Thread.sleep(QUIET_MILLIS);
    return (line.bytes() - before) * 1000.0 / QUIET_MILLIS;
  }

  private static Token find(Tokens tokens, String serial) {
    return tokens.find(REALM, serial).orElseThrow();
  }

  private static Token token(String serial) {
    return Token.created(serial, TokenType.USUAL, SEALED, -1, Optional.empty());
  }

  private static PersonId person(String prefix, int n) {
    return new PersonId(prefix + n);
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    OtpServersRun.await(condition);
  }
}
