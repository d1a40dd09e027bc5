package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.JavaProcess;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.JdbcNamePairs;
import dev.gatehouse.common.directory.NamePair;
import dev.gatehouse.common.directory.NamePairs;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Acknowledged writes survive kill -9 in both embedded engines, however often. */
class KillTest {

  private static final int KILLS = 3;
  private static final Set<String> KINDS = Set.of("session", "code", "taken", "work", "done", "mark", "name");

  @TempDir Path data;

  @Test
  @Timeout(120)
  void findsEverythingThatWasAcknowledged() throws Exception {
    long seed = System.nanoTime();
    System.out.println("KillTest seed " + seed);
    Random random = new Random(seed);
    List<String> acknowledged = new ArrayList<>();
    for (int kill = 0; kill < KILLS; kill++) {
      acknowledged.addAll(writeUntilKilled("run" + kill + "-", random.nextInt(400)));
    }
    findAll(acknowledged, seed);
  }

  /**
   * Lets a process write until each engine acknowledged something, and so many milliseconds more; kills it, and returns
   * every whole line that it printed.
   */
  private List<String> writeUntilKilled(String run, int milliseconds) throws Exception {
    Process process =
        JavaProcess.of(AcknowledgingWriter.class, data.toString(), run).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    List<String> lines = new ArrayList<>();
    Set<String> unseen = new HashSet<>(KINDS);
    try (BufferedReader out = process.inputReader()) {
      for (String line = readLine(out); !line.isEmpty(); line = readLine(out)) {
        String kind = line.split(" ", 2)[0];
        // The libraries log to standard output before the first write.
        if (!KINDS.contains(kind)) {
          continue;
        }
        lines.add(line);
        if (unseen.remove(kind) && unseen.isEmpty()) {
          killAfter(process, milliseconds);
        }
      }
      assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as("ended by SIGKILL, after %d lines", lines.size()).isEqualTo(128 + 9);
      return lines;
    } finally {
      process.destroyForcibly();
    }
  }

  /** SIGKILL: no shutdown hook, no flush. By the handle, because the Process would also close its output, which we read. */
  private static void killAfter(Process process, int milliseconds) {
    CompletableFuture.delayedExecutor(milliseconds, TimeUnit.MILLISECONDS).execute(process.toHandle()::destroyForcibly);
  }

  /** The next whole line; empty at the end and for one that was cut off. */
  private static String readLine(BufferedReader out) {
    try {
      StringBuilder line = new StringBuilder();
      for (int c = out.read(); c >= 0; c = out.read()) {
        if (c == '\n') {
          return line.toString();
        }
        line.append((char) c);
      }
      return "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void findAll(List<String> acknowledged, long seed) {
    InstantSource time = InstantSource.system();
    try (RocksStores stores = new RocksStores(data, time);
        Database database = Database.embedded(data)) {
      SessionStore<PlainSession> sessions = stores.sessions("app", PlainSession.CODEC);
      SingleUseStore<String> codes = stores.singleUse("codes", new TextCodec());
      DueStore<String> work = stores.due("work", new TextCodec());
      NamePairs names = new JdbcNamePairs(NamePairs.Kind.GIVEN, database, time);
      for (String line : acknowledged) {
        String[] words = line.split(" ", 3);
        boolean found =
            switch (words[0]) {
              case "session" -> isComplete(sessions, words[1]);
              case "code" -> codes.peek(words[1]).isPresent();
              case "work" -> work.find(words[1]).filter(kept -> kept.value().equals("again")).isPresent();
              case "done" -> work.find(words[1]).isEmpty();
              case "taken" -> codes.take(words[1]) instanceof TakeResult.Replayed<String>;
              case "mark" ->
                  !stores
                      .replayCache()
                      .firstSeen(new ReplayCache.ReplayKey("demo", "idp", words[1]), AcknowledgingWriter.EXPIRY);
              case "name" ->
                  names
                      .byPerson("demo", AcknowledgingWriter.PARTNER, new PersonId(words[1]))
                      .map(NamePair::name)
                      .filter(words[2]::equals)
                      .isPresent();
              default -> throw new IllegalStateException("Not a line of the writer: " + line);
            };
        assertThat(found).as("seed %d: %s of %d", seed, line, acknowledged.size()).isTrue();
      }
      long inRealm = sessions.page("demo", "", Integer.MAX_VALUE).size();
      assertThat(sessions.count()).as("seed %d", seed).isEqualTo(inRealm);
      assertThat(work.page("demo", "", Integer.MAX_VALUE)).as("seed %d", seed).hasSize((int) work.count());
    }
  }

  private static boolean isComplete(SessionStore<PlainSession> sessions, String key) {
    List<PlainSession> indexed = sessions.byIndex("index of " + key);
    return indexed.size() == 1
        && indexed.getFirst().touches() == 1
        && sessions.byPerson("demo", new PersonId("of " + key)).equals(indexed)
        && sessions.find(new SessionId(key)).equals(Optional.of(indexed.getFirst()));
  }
}
