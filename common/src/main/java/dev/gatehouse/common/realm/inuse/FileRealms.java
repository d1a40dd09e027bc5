package dev.gatehouse.common.realm.inuse;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.file.ConfigurationFiles.Result;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.common.realm.inuse.RealmsInUse.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the realms' files of a configuration directory while the node runs. A change on disk is taken over or rejected within a
 * second, or within a few where a look at so many files takes longer than 20 ms. Files are compared by content, so it
 * does not matter how they are replaced. A change takes effect once two checks in a row see the same content.
 */
public final class FileRealms implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(FileRealms.class);
  private static final Duration CHECK_INTERVAL = Duration.ofMillis(200);
  private static final Duration LONGEST_INTERVAL = Duration.ofSeconds(2);
  /** A check takes this part of a processor, while it takes up to 0.2 s; one that takes longer is made every two seconds. */
  private static final int PART = 10;

  private final ConfigurationFiles files;
  private final FileStates states;
  private final RealmsInUse inUse;
  private final Thread watcher;
  private volatile boolean closed;

  /** The last result, good or bad; used exclusively. */
  private Result last;

  private String lastState;

  private FileRealms(ConfigurationFiles files, Result first, RealmsInUse inUse, InstantSource clock) {
    this.files = files;
    this.inUse = inUse;
    this.states = new FileStates(clock);
    this.last = first;
    this.lastState = first.files().state();
    this.watcher = Thread.ofPlatform().daemon().name("configuration-watcher").unstarted(this::watch);
  }

  /**
   * Loads the realms, records them in the audit log and follows the files from now on.
   *
   * @throws ConfigurationInvalid with every problem; nothing has been started then
   */
  public static FileRealms open(ConfigurationFiles files, AuditLog audit, InstantSource clock)
      throws ConfigurationInvalid {
    Result first = files.read();
    FileRealms realms = new FileRealms(files, first, new RealmsInUse(files, first, audit, clock), clock);
    realms.watcher.start();
    return realms;
  }

  public RealmsInUse inUse() {
    return inUse;
  }

  /** Returns the configuration directory. */
  public Path directory() {
    return files.directory();
  }

  /** Reads the files now. */
  public Outcome reload() {
    return inUse.exclusively(() -> take(files.read()));
  }

  private void watch() {
    String seen = "";
    boolean logged = false;
    Duration interval = CHECK_INTERVAL;
    while (!closed) {
      try {
        Thread.sleep(interval);
        String before = seen;
        long begun = System.nanoTime();
        seen = inUse.exclusively(() -> check(before));
        long wanted = PART * (System.nanoTime() - begun);
        interval = Duration.ofNanos(Math.clamp(wanted, CHECK_INTERVAL.toNanos(), LONGEST_INTERVAL.toNanos()));
        logged = false;
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        if (!logged) {
          // Logged once until it works again, because it is tried five times a second.
          log.error("The configuration could not be read; its last good revision stays in use", e);
          logged = true;
        }
      }
    }
  }

  /** Checks the files once and returns their state. Files that are still being written differ between two checks. */
  private String check(String seenBefore) {
    String seen = states.of(files.withAllRealms(last.files().paths()));
    if (seen.equals(lastState) || !seen.equals(seenBefore)) {
      return seen;
    }
    Result result = files.read();
    String after = states.of(files.withAllRealms(last.files().paths()));
    if (after.equals(seen)) {
      take(result);
    }
    return after;
  }

  private Outcome take(Result result) {
    Outcome outcome = inUse.take(result, () -> {});
    last = result;
    lastState = result.files().state();
    return outcome;
  }

  @Override
  public void close() {
    closed = true;
    watcher.interrupt();
  }
}
