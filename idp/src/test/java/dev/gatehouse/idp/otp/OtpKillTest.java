package dev.gatehouse.idp.otp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.JavaProcess;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.JdbcTokens;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenHolder;
import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.common.otp.TokenType.Hash;
import dev.gatehouse.common.otp.TokenType.Kind;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.otp.UseJournal;
import dev.gatehouse.common.store.RocksStores;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A code that was acknowledged counts no more after kill -9, and PINs and counts of wrong passcodes are as they were told. */
@Timeout(300)
final class OtpKillTest {

  private static final String REALM = "demo";
  private static final int PEOPLE = 300;
  private static final int LOCK_AFTER = 10;

  /** What was acknowledged last when a process is killed, while it goes on. */
  private static final List<String> KILLS = List.of("totp", "hotp", "emergency", "pin");

  /** Lines before that. */
  private static final int ENOUGH = 20;

  private static final byte[] BEFORE = {1};
  private static final byte[] AFTER = {2};
  private static final TokenType COUNTING = new TokenType(Kind.HOTP, Hash.SHA1, 6, 0);

  @TempDir Path data;

  private static PersonId person(int number) {
    return new PersonId("p" + number);
  }

  /** What a node does for logins, over the embedded stores of a folder. */
  private record Node(RocksStores stores, Database database, UseJournal journal, Tokens tokens, CodeUses uses) implements AutoCloseable {

    static Node open(Path data) {
      RocksStores stores = new RocksStores(data, InstantSource.system());
      Database database = Database.embedded(data);
      UseJournal journal = UseJournal.open(database, stores, InstantSource.system()).orElseThrow();
      Tokens tokens = journal.tokens(new JdbcTokens(database));
      return new Node(stores, database, journal, tokens, new CodeUses(tokens, stores.replayCache(), InstantSource.system()));
    }

    boolean use(String serial, PersonId person, long used) {
      Token token = uses.current(REALM, tokens.find(REALM, serial).orElseThrow());
      return uses.use(REALM, token, new Tokens.Use(serial, person, used, 0, Instant.now()), LOCK_AFTER).isPresent();
    }

    boolean useEmergency(PersonId person) {
      return tokens.useEmergency(REALM, person, digest(person), Instant.now(), LOCK_AFTER);
    }

    static String digest(PersonId person) {
      return "digest-" + person.value();
    }

    @Override
    public void close() throws Exception {
      journal.close();
      database.close();
      stores.close();
    }
  }

  /** Logs people in one after the other, and prints what counted once it has counted. */
  static final class Logins {

    private Logins() {}

    public static void main(String[] arguments) throws Exception {
      try (Node node = Node.open(Path.of(arguments[0]))) {
        for (int i = Integer.parseInt(arguments[1]); i < PEOPLE; i++) {
          PersonId person = person(i);
          long step = TokenCodes.step(TokenType.USUAL, Instant.now());
          print(node.use("t" + i, person, step), "totp " + i + " " + step);
          node.uses().write();
          print(true, "position " + i + " " + step);
          print(node.use("h" + i, person, 7), "hotp " + i + " 7");
          print(node.useEmergency(person), "emergency " + i + " 0");
          print(node.tokens().replacePins(REALM, person, Optional.of(BEFORE), AFTER, false), "pin " + i + " 0");
          node.tokens().countWrong(REALM, person, LOCK_AFTER, Optional.empty());
          print(true, "wrong " + i + " " + node.tokens().countWrong(REALM, person, LOCK_AFTER, Optional.empty()));
        }
      }
    }

    private static void print(boolean done, String line) {
      if (!done) {
        throw new IllegalStateException(line);
      }
      System.out.println("# " + line);
      System.out.flush();
    }
  }

  private void enrol() throws Exception {
    try (Node node = Node.open(data)) {
      for (int i = 0; i < PEOPLE; i++) {
        PersonId person = person(i);
        byte[] seed = ("seed" + i).getBytes(StandardCharsets.US_ASCII);
        node.tokens().add(
            REALM,
            List.of(
                Token.created("t" + i, TokenType.USUAL, seed, -1, Optional.empty()), Token.created("h" + i, COUNTING, seed, -1, Optional.empty())));
        node.tokens().assign(REALM, "t" + i, person);
        node.tokens().assign(REALM, "h" + i, person);
        node.tokens().keepPins(REALM, person, Optional.of(BEFORE), false);
        node.tokens().keepEmergency(REALM, person, Set.of(Node.digest(person)), false, Instant.now().plusSeconds(86_400));
      }
    }
  }

  private List<String> loginsUntilKilled(int from, String last) throws Exception {
    Process process =
        JavaProcess.of(Logins.class, data.toString(), String.valueOf(from)).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    List<String> lines = new ArrayList<>();
    try (BufferedReader out = process.inputReader()) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        // Libraries log to standard output; a line that was cut off has too few words.
        if (line.startsWith("# ") && line.split(" ").length == 4) {
          lines.add(line.substring(2));
        }
        if (lines.size() > ENOUGH && lines.getLast().startsWith(last + " ")) {
          process.toHandle().destroyForcibly();
        }
      }
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as("ended by SIGKILL, after %d lines", lines.size()).isEqualTo(128 + 9);
      return lines;
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void nothingThatWasAcknowledgedCountsAgain() throws Exception {
    enrol();
    List<String> acknowledged = new ArrayList<>();
    int next = 0;
    for (String last : KILLS) {
      acknowledged.addAll(loginsUntilKilled(next, last));
      next = Integer.parseInt(acknowledged.getLast().split(" ")[1]) + 2;
    }
    assertThat(acknowledged).hasSizeGreaterThan(KILLS.size() * ENOUGH);
    try (Node node = Node.open(data)) {
      for (String line : acknowledged) {
        String[] words = line.split(" ");
        PersonId person = person(Integer.parseInt(words[1]));
        long value = Long.parseLong(words[2]);
        TokenHolder holder = node.tokens().holder(REALM, person);
        boolean isKept =
            switch (words[0]) {
              case "totp" -> !node.use("t" + words[1], person, value);
              case "position" -> node.tokens().find(REALM, "t" + words[1]).orElseThrow().lastUsed() == value;
              case "hotp" -> !node.use("h" + words[1], person, value);
              case "emergency" -> !node.useEmergency(person);
              case "pin" -> holder.sealedPins().orElseThrow()[0] == AFTER[0];
              case "wrong" -> holder.wrong() >= value;
              default -> throw new IllegalStateException(line);
            };
        assertThat(isKept).as(line).isTrue();
      }
      // Whose turn did not come, logs in: the stores take codes as before.
      PersonId last = person(PEOPLE - 1);
      assertThat(node.use("t" + (PEOPLE - 1), last, TokenCodes.step(TokenType.USUAL, Instant.now()))).isTrue();
      assertThat(node.use("h" + (PEOPLE - 1), last, 7)).isTrue();
      assertThat(node.useEmergency(last)).isTrue();
    }
  }
}
