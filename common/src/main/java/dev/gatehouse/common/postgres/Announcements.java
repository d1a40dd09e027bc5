package dev.gatehouse.common.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells this node what other nodes changed: at once by NOTIFY, and once a second anyway, because a notification is lost with its
 * connection. What is told does nothing if nothing has changed.
 */
public final class Announcements implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Announcements.class);
  private static final int PAUSE_MILLIS = 1_000;
  private static final int END_MILLIS = 10_000;

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
  private final Thread thread;
  private volatile boolean closed;
  // Used only by the thread.
  private Optional<Connection> connection = Optional.empty();
  private boolean failing;

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
        List<String> changed = await();
        for (Topic topic : Topic.values()) {
          if (changed.isEmpty() || changed.contains(topic.word())) {
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

  /** Returns what was announced; empty after a second without. */
  private List<String> await() throws SQLException {
    if (connection.isEmpty()) {
      Connection fresh = database.listening();
      connection = Optional.of(fresh);
      try (Statement statement = fresh.createStatement()) {
        statement.execute("listen gatehouse");
      }
      return List.of();
    }
    PGNotification[] found = connection.get().unwrap(PGConnection.class).getNotifications(PAUSE_MILLIS);
    if (found.length == 0) {
      // Notices that the server is gone without a word.
      try (Statement statement = connection.get().createStatement()) {
        statement.execute("select 1");
      }
    }
    return List.of(found).stream().map(PGNotification::getParameter).toList();
  }

  private void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void discard() {
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
