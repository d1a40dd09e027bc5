package dev.gatehouse.gateway.admin.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import dev.gatehouse.common.throttle.RepeatedTask;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Levels of loggers that differ from those of the start, each until a time. A restart ends all of them.
 *
 * <p>Only our own loggers may be more talkative than INFO: below it, libraries write what they send and receive. Jetty's parser and
 * connections write heads and bodies with cookies and passwords, the JDK's and Apache's HTTP clients theirs with tokens, the LDAP
 * SDK bind requests, OpenSAML decrypted messages, Spring MVC the bodies of administration, Spring JDBC and H2 parameters of
 * statements, Thymeleaf values of pages, and all of them are below the root.
 */
final class LogLevels implements AutoCloseable {

  static final Duration LONGEST = Duration.ofDays(1);
  static final Duration USUAL = Duration.ofHours(1);

  private static final String OURS = "dev.gatehouse";
  private static final String NAME = "[A-Za-z0-9_$]+([.-][A-Za-z0-9_$]+)*";
  private static final int LONGEST_NAME = 200;
  private static final int MOST = 100;

  /** A level that differs, and the one that returns; empty if the logger has that of its parent. */
  private record Change(Level level, Optional<Level> former, Instant until) {}

  /**
   * A logger.
   *
   * @param until when the level of the start returns; empty if it is in use
   */
  record State(String logger, String level, Optional<Instant> until) {}

  private final LoggerContext logs;
  private final InstantSource time;
  private final TreeMap<String, Change> changes = new TreeMap<>();
  private @Nullable RepeatedTask ending;

  LogLevels(LoggerContext logs, InstantSource time) {
    this.logs = logs;
    this.time = time;
  }

  /** Returns whether a text can be the name of a logger. */
  static boolean isName(String name) {
    return name.length() <= LONGEST_NAME && name.matches(NAME);
  }

  /** Returns whether the logger may have that level: none that writes secrets. */
  static boolean isHarmless(String logger, Level level) {
    return level.isGreaterOrEqual(Level.INFO) || logger.equals(OURS) || logger.startsWith(OURS + ".");
  }

  /** The loggers that differ from the start. */
  synchronized List<State> changed() {
    List<State> states = new ArrayList<>();
    changes.forEach((name, change) -> states.add(new State(name, change.level().levelStr, Optional.of(change.until()))));
    return states;
  }

  /** The level in use of a logger, its own or that of its parents. */
  synchronized State state(String logger) {
    Logger known = logs.exists(logger);
    Level level = known == null ? inherited(logger) : known.getEffectiveLevel();
    return new State(logger, level.levelStr, Optional.ofNullable(changes.get(logger)).map(Change::until));
  }

  /** Asks without making a logger, which would stay for ever. */
  private Level inherited(String logger) {
    String parent = logger;
    while (parent.contains(".")) {
      parent = parent.substring(0, parent.lastIndexOf('.'));
      Logger known = logs.exists(parent);
      if (known != null) {
        return known.getEffectiveLevel();
      }
    }
    return logs.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).getEffectiveLevel();
  }

  /** Sets a level; returns false if too many differ already. */
  synchronized boolean set(String name, Level level, Instant until) {
    Change known = changes.get(name);
    if (known == null && changes.size() >= MOST) {
      return false;
    }
    Logger logger = logs.getLogger(name);
    Optional<Level> former = known == null ? Optional.ofNullable(logger.getLevel()) : known.former();
    changes.put(name, new Change(level, former, until));
    logger.setLevel(level);
    if (ending == null) {
      ending = RepeatedTask.begin("log-levels", "Levels of the log cannot be set back", this::endDue);
    }
    return true;
  }

  /** Returns to the level of the start; false if it is in use. */
  synchronized boolean reset(String name) {
    Change change = changes.remove(name);
    if (change == null) {
      return false;
    }
    logs.getLogger(name).setLevel(change.former().orElse(null));
    return true;
  }

  /** Ends what is due. */
  synchronized void endDue() {
    Instant now = time.instant();
    List<String> due = changes.keySet().stream().filter(name -> !now.isBefore(until(name))).toList();
    due.forEach(this::reset);
  }

  private Instant until(String name) {
    return Optional.ofNullable(changes.get(name)).map(Change::until).orElse(Instant.MAX);
  }

  @Override
  public void close() {
    RepeatedTask task;
    synchronized (this) {
      task = ending;
      List.copyOf(changes.keySet()).forEach(this::reset);
    }
    if (task != null) {
      task.close();
    }
  }
}
