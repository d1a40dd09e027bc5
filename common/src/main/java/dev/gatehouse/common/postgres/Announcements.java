package dev.gatehouse.common.postgres;

import dev.gatehouse.common.remembered.RowChanges;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells this node what other nodes changed: at once by NOTIFY, and once a second anyway, because a notification is lost with its
 * connection. What is told does nothing if nothing has changed. Remembered rows count only while the connection was seen to work within
 * two seconds: its server answers after everything that was announced before.
 */
public final class Announcements implements RowChanges, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Announcements.class);
  private static final int PAUSE_MILLIS = 1_000;
  private static final Duration LOOK = Duration.ofMillis(PAUSE_MILLIS);
  private static final int END_MILLIS = 10_000;

  /** A connection that broke without a word hides changes for no longer. */
  private static final Duration PROVED = Duration.ofSeconds(2);

  /** What may change. */
  public enum Topic {
    REVISION,
    KEYS,
    SWITCHES;

    private String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final PostgresDatabase database;
  private final Map<Topic, List<Runnable>> listeners = new ConcurrentHashMap<>();
  /** By the ordinal number of the table. */
  private final AtomicLongArray changes = new AtomicLongArray(Table.values().length);
  private final Thread thread;
  /** When the question was asked that the connection answered last; empty while there is none. */
  private volatile OptionalLong provedNanos = OptionalLong.empty();
  private volatile boolean closed;
  /** How often the database had given up its connections when this one was opened. */
  private volatile int listeningSince;
  // Used only by the thread.
  private Optional<Connection> connection = Optional.empty();
  private boolean failing;
  private long lookedNanos = System.nanoTime();

  public Announcements(PostgresDatabase database) {
    this.database = database;
    this.thread = Thread.ofPlatform().name("gatehouse-announcements").daemon().start(this::run);
  }

  /** Adds a listener, which is called on one thread of this class. */
  public void on(Topic topic, Runnable listener) {
    listeners.computeIfAbsent(topic, any -> new CopyOnWriteArrayList<>()).add(listener);
  }

  private void run() {
    while (!closed) {
      try {
        Set<String> changed = await();
        boolean isLook = changed.isEmpty() || System.nanoTime() - lookedNanos > LOOK.toNanos();
        if (isLook) {
          lookedNanos = System.nanoTime();
        }
        for (Topic topic : Topic.values()) {
          if (isLook || changed.contains(topic.word())) {
            listeners.getOrDefault(topic, List.of()).forEach(Runnable::run);
          }
        }
        failing = false;
      } catch (SQLException | RuntimeException e) {
        if (!failing) {
          LOG.warn("Changes by other nodes cannot be taken over; it is tried again and again", e);
        }
        failing = true;
        discard();
        pause();
      }
    }
    discard();
  }

  /** Returns what was announced; empty after a second without, and at first. */
  private Set<String> await() throws SQLException {
    if (connection.isPresent() && listeningSince != database.givenUp()) {
      // A former primary may still answer, and hears of nothing any more.
      discard();
    }
    if (connection.isEmpty()) {
      listeningSince = database.givenUp();
      Connection fresh = database.listening();
      connection = Optional.of(fresh);
      long asked = System.nanoTime();
      execute(fresh, "listen gatehouse");
      // Anything may have changed since the former connection.
      for (Table table : Table.values()) {
        changes.incrementAndGet(table.ordinal());
      }
      provedNanos = OptionalLong.of(asked);
      return Set.of();
    }
    PGConnection listening = connection.get().unwrap(PGConnection.class);
    Set<String> changed = new HashSet<>();
    take(listening.getNotifications(PAUSE_MILLIS), changed);
    long asked = System.nanoTime();
    // Notices that the server is gone without a word; and what was announced before the question arrives before its answer.
    execute(connection.get(), "select 1");
    take(listening.getNotifications(), changed);
    provedNanos = OptionalLong.of(asked);
    return changed;
  }

  private static void execute(Connection on, String sql) throws SQLException {
    try (Statement statement = on.createStatement()) {
      statement.execute(sql);
    }
  }

  private void take(PGNotification[] found, Set<String> changed) {
    Set<String> words = Arrays.stream(found).map(PGNotification::getParameter).collect(Collectors.toSet());
    for (Table table : Table.values()) {
      if (words.contains(table.name().toLowerCase(Locale.ROOT))) {
        changes.incrementAndGet(table.ordinal());
      }
    }
    changed.addAll(words);
  }

  @Override
  public OptionalLong heard(Table table) {
    return isProved() ? OptionalLong.of(changes.get(table.ordinal())) : OptionalLong.empty();
  }

  private boolean isProved() {
    OptionalLong proved = provedNanos;
    return proved.isPresent() && listeningSince == database.givenUp() && System.nanoTime() - proved.getAsLong() < PROVED.toNanos();
  }

  private void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void discard() {
    provedNanos = OptionalLong.empty();
    connection.ifPresent(PostgresDatabase::discard);
    connection = Optional.empty();
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.join(END_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
