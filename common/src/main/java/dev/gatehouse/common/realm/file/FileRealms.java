package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditEvent.ConfigurationChanged;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.audit.AuditUnavailable;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.realm.file.ConfigurationFiles.Result;
import dev.gatehouse.common.realm.yaml.FileTree;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The realms of a configuration directory, followed while the node runs. A change on disk is either taken over completely within
 * a second, or rejected completely; then the old revision stays in use and {@link #status} reports the problems. Files are
 * compared by content, so it does not matter how they are replaced. A change takes effect once two checks in a row see the same
 * content.
 *
 * <p>A change of {@code gatehouse.yaml} itself needs a restart; {@link Status#restartNeeded} reports that.
 */
public final class FileRealms implements Realms, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(FileRealms.class);
  private static final Duration CHECK_INTERVAL = Duration.ofMillis(200);

  /** The realms in use, and the result of the last change. */
  public record Status(
      SortedMap<String, Realm.Revision> revisions,
      Instant acceptedAt,
      Optional<Rejection> rejection,
      boolean restartNeeded) {}

  /** The present files cannot be used. */
  public record Rejection(Instant at, List<Problem> problems) {}

  /** The result of a reload. */
  public sealed interface Outcome {
    /** Nothing that matters to a realm has changed. */
    record Unchanged() implements Outcome {}

    /**
     * The change was taken over.
     *
     * @param realms names of the realms that were added, changed or removed
     */
    record Accepted(List<String> realms) implements Outcome {}

    /** The old revision stays in use. */
    record Rejected(List<Problem> problems) implements Outcome {}
  }

  private final ConfigurationFiles files;
  private final FileStates states;
  private final AuditLog audit;
  private final InstantSource clock;
  private final Node node;
  private final String nodeFilesAtStart;
  private final ReentrantLock changing = new ReentrantLock();
  private final List<Consumer<Collection<Realm>>> listeners = new ArrayList<>();
  private final List<Consumer<FileTree>> histories = new ArrayList<>();
  private final Thread watcher;
  private volatile ServedRealms served;
  private volatile Status status;
  private volatile boolean closed;

  /** The last result, good or bad; guarded by {@link #changing}. */
  private Result last;

  private String lastState;

  /** The realms' files in use; guarded by {@link #changing}. */
  private FileTree used;

  /** Files of the configuration in use that others follow; guarded by {@link #changing}. */
  private Set<Path> followed;

  private FileRealms(ConfigurationFiles files, Result first, AuditLog audit, InstantSource clock)
      throws ConfigurationInvalid {
    Configuration configuration = first.configuration();
    this.files = files;
    this.audit = audit;
    this.clock = clock;
    this.states = new FileStates(clock);
    this.node = configuration.node();
    this.nodeFilesAtStart = first.nodeFiles();
    this.last = first;
    this.lastState = first.files().state();
    this.served = ServedRealms.of(configuration.realms());
    this.used = FileTree.of(files.directory(), first.realmFiles());
    this.followed = first.realmFiles().followed();
    this.status = new Status(served.revisions(), clock.instant(), Optional.empty(), false);
    this.watcher = Thread.ofVirtual().name("configuration-watcher").unstarted(this::watch);
  }

  /**
   * Loads the realms, records them in the audit log and follows the files from now on.
   *
   * @throws ConfigurationInvalid with every problem; nothing has been started then
   */
  public static FileRealms open(ConfigurationFiles files, AuditLog audit, InstantSource clock)
      throws ConfigurationInvalid {
    FileRealms realms = new FileRealms(files, files.read(), audit, clock);
    realms.served.byName().values().forEach(realm -> audit.record(accepted(realm, "at start")));
    realms.watcher.start();
    return realms;
  }

  /** Returns the node's configuration as it was at start. */
  public Node node() {
    return node;
  }

  public Status status() {
    return status;
  }

  @Override
  public Optional<Realm> find(String name) {
    return Optional.ofNullable(served.byName().get(name));
  }

  @Override
  public Optional<Realm> ofAppOrigin(Origin origin) {
    return Optional.ofNullable(served.byOrigin().get(origin));
  }

  @Override
  public Collection<Realm> all() {
    return served.byName().values();
  }

  @Override
  public void onChange(Consumer<Collection<Realm>> listener) {
    changing.lock();
    try {
      listener.accept(all());
      listeners.add(listener);
    } finally {
      changing.unlock();
    }
  }

  /** Calls the listener with the realms' files in use: now, and after each change that was taken over. */
  public void onFiles(Consumer<FileTree> listener) {
    changing.lock();
    try {
      listener.accept(used);
      histories.add(listener);
    } finally {
      changing.unlock();
    }
  }

  /** Checks that text as the configuration of a realm; nothing of it takes effect. */
  public ConfigurationFiles.Proposal propose(String realm, String text) {
    return files.propose(realm, text);
  }

  /**
   * Checks a proposed configuration; nothing of it takes effect.
   *
   * @param proposed files by their paths within the configuration directory
   * @param complete whether realms without a file among them are removed
   */
  public ProposedFiles.Plan plan(Map<String, byte[]> proposed, boolean complete) {
    changing.lock();
    try {
      return new ProposedFiles(files, used, followed).plan(proposed, complete);
    } finally {
      changing.unlock();
    }
  }

  /** Returns the configuration directory. */
  public Path directory() {
    return files.directory();
  }

  /** Reads the files now. */
  public Outcome reload() {
    changing.lock();
    try {
      return take(files.read());
    } finally {
      changing.unlock();
    }
  }

  private void watch() {
    String seen = "";
    boolean logged = false;
    while (!closed) {
      try {
        Thread.sleep(CHECK_INTERVAL);
        seen = check(seen);
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
    changing.lock();
    try {
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
    } finally {
      changing.unlock();
    }
  }

  private Outcome take(Result result) {
    Optional<Configuration> usable = result.usable();
    Outcome outcome = usable.isPresent() ? accept(result, usable.get()) : reject(result.problems());
    last = result;
    lastState = result.files().state();
    FileTree read = FileTree.of(files.directory(), result.realmFiles());
    if (!(outcome instanceof Outcome.Rejected) && !read.equals(used)) {
      used = read;
      followed = result.realmFiles().followed();
      notify(histories, read);
    }
    return outcome;
  }

  private Outcome reject(List<Problem> problems) {
    boolean known = status.rejection().filter(r -> r.problems().equals(problems)).isPresent();
    if (!known) {
      String first = problems.getFirst().toString();
      log.warn("Configuration rejected, the old one stays in use; {} problem(s), the first: {}", problems.size(), first);
      status =
          new Status(
              status.revisions(),
              status.acceptedAt(),
              Optional.of(new Rejection(clock.instant(), problems)),
              status.restartNeeded());
      recordIfPossible(
          new ConfigurationChanged(
              AuditEvent.Context.node(), "realms", "-", false, problems.size() + " problem(s), the first: " + first));
    }
    return new Outcome.Rejected(problems);
  }

  private Outcome accept(Result result, Configuration configuration) {
    ServedRealms next = ServedRealms.of(configuration.realms());
    SortedMap<String, String> changes = served.changesTo(next);
    boolean restart = !configuration.node().equals(node) || !result.nodeFiles().equals(nodeFilesAtStart);
    try {
      changes.forEach((name, what) -> audit.record(changed(name, next.byName().get(name), what)));
    } catch (AuditUnavailable e) {
      // A change that cannot be audited does not happen (the audit log's own rule).
      String remedy = "make the audit log writable and reload";
      return reject(List.of(new Problem(files.directory(), 0, "-", "the change cannot be audited", remedy)));
    }
    if (restart && !status.restartNeeded()) {
      log.warn("{} has changed; it takes effect after a restart", ConfigurationFiles.NODE);
      recordIfPossible(
          new ConfigurationChanged(
              AuditEvent.Context.node(), ConfigurationFiles.NODE, "-", false, "needs a restart"));
    }
    if (!changes.isEmpty()) {
      notify(listeners, next.byName().values());
      served = next;
      log.info("Configuration taken over: {}", changes);
    }
    Instant acceptedAt = changes.isEmpty() ? status.acceptedAt() : clock.instant();
    status = new Status(next.revisions(), acceptedAt, Optional.empty(), restart);
    return changes.isEmpty() ? new Outcome.Unchanged() : new Outcome.Accepted(List.copyOf(changes.keySet()));
  }

  private static <T> void notify(List<Consumer<T>> listeners, T news) {
    for (Consumer<T> listener : listeners) {
      try {
        listener.accept(news);
      } catch (RuntimeException e) {
        // A failing listener must not keep the others on the old revision.
        log.error("A listener failed to take over the configuration", e);
      }
    }
  }

  private void recordIfPossible(ConfigurationChanged event) {
    try {
      audit.record(event);
    } catch (AuditUnavailable e) {
      log.error("The audit log cannot be written: {}", event, e);
    }
  }

  private static ConfigurationChanged changed(String name, @Nullable Realm realm, String what) {
    return realm == null
        ? new ConfigurationChanged(context(name), "realm " + name, "-", true, what)
        : accepted(realm, what);
  }

  private static ConfigurationChanged accepted(Realm realm, String detail) {
    return new ConfigurationChanged(
        context(realm.name()), "realm " + realm.name(), realm.revision().value(), true, detail);
  }

  private static AuditEvent.Context context(String realm) {
    return new AuditEvent.Context(realm, "-", Optional.empty());
  }

  @Override
  public void close() {
    closed = true;
    watcher.interrupt();
  }
}
