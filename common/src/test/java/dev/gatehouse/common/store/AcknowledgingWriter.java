package dev.gatehouse.common.store;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.JdbcNamePairs;
import dev.gatehouse.common.directory.NamePairs;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.federation.PairedPersistentNameIds;
import dev.gatehouse.common.federation.PersistentNameIds;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionStore;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;

/**
 * The program that {@link KillTest} kills: writes to both engines as fast as it can and says on standard output what was
 * acknowledged, one line each.
 */
final class AcknowledgingWriter {

  static final Instant EXPIRY = Instant.parse("2100-01-01T00:00:00Z");
  static final String PARTNER = "https://sp.example";

  private AcknowledgingWriter() {}

  public static void main(String[] args) {
    Path data = Path.of(args[0]);
    String run = args[1];
    PrintStream acknowledged = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    InstantSource time = InstantSource.system();
    RocksStores stores = new RocksStores(data, time);
    SessionStore<PlainSession> sessions = stores.sessions("app", PlainSession.CODEC);
    SingleUseStore<String> codes = stores.singleUse("codes", new TextCodec());
    NamePairs pairs = new JdbcNamePairs(NamePairs.Kind.GIVEN, Database.embedded(data), time);
    PersistentNameIds nameIds = new PairedPersistentNameIds(realm -> pairs);
    start(run + "session", acknowledged, key -> createAndUpdate(sessions, key));
    start(run + "code", acknowledged, key -> putAndTake(codes, key));
    DueStore<String> work = stores.due("work", new TextCodec());
    start(run + "work", acknowledged, key -> addAndDo(work, key));
    start(
        run + "mark",
        acknowledged,
        key -> {
          stores.replayCache().firstSeen(new ReplayCache.ReplayKey("demo", "idp", key), EXPIRY);
          return "mark " + key;
        });
    start(
        run + "name",
        acknowledged,
        key ->
            "name " + key + " "
                + nameIds.findOrCreate("demo", PARTNER, new PersonId(key), () -> UUID.randomUUID().toString())
                    .value());
  }

  private interface Write {
    /** Writes and returns what to say. */
    String write(String key);
  }

  private static void start(String prefix, PrintStream acknowledged, Write write) {
    Callable<Void> forever =
        () -> {
          for (int i = 0; ; i++) {
            acknowledged.println(write.write(prefix + i));
          }
        };
    Thread.ofPlatform().start(() -> call(forever));
  }

  private static void call(Callable<Void> forever) {
    try {
      forever.call();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static String createAndUpdate(SessionStore<PlainSession> sessions, String key) {
    PersonId person = new PersonId("of " + key);
    SessionId id = new SessionId(key);
    sessions.create(new PlainSession(id, "demo", person, EXPIRY, EXPIRY, Set.of("at first"), 0));
    sessions.update(id, old -> old.touched().indexed("index of " + key));
    return "session " + key;
  }

  private static String addAndDo(DueStore<String> work, String key) {
    work.add(new DueStore.Work<>(key, "demo", "value", EXPIRY));
    work.replace(key, "again", EXPIRY);
    if (key.endsWith("0")) {
      work.remove(key);
      return "done " + key;
    }
    return "work " + key;
  }

  private static String putAndTake(SingleUseStore<String> codes, String key) {
    codes.put(key, "value", EXPIRY);
    if (key.endsWith("0")) {
      codes.take(key);
      return "taken " + key;
    }
    return "code " + key;
  }
}
