package dev.gatehouse.common.realm.inuse;

import dev.gatehouse.common.audit.AuditEvent.ConfigurationChanged;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.audit.AuditUnavailable;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.realm.file.Configuration;
import dev.gatehouse.common.realm.file.ConfigurationFiles.Result;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.common.realm.file.ProposedFiles;
import dev.gatehouse.common.realm.yaml.FileTree;
import java.nio.file.Path;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The realms in use. A change is either taken over completely, after it was audited, or rejected completely; then the old
 * configuration stays in use and {@link #status} reports the problems.
 *
 * <p>A change of {@code gatehouse.yaml} itself needs a restart; {@link Status#restartNeeded} reports that.
 */
public final class RealmsInUse implements Realms {

  private static final Logger log = LoggerFactory.getLogger(RealmsInUse.class);

  /** The realms in use, and the result of the last change. */
  public record Status(
      SortedMap<String, Realm.Revision> revisions,
      Instant acceptedAt,
      Optional<Rejection> rejection,
      boolean restartNeeded) {}

  /** A change that cannot be used. */
  public record Rejection(Instant at, List<Problem> problems) {}

  /** The result of a change. */
  public sealed interface Outcome {
    /** Nothing that matters to a realm has changed. */
    record Unchanged() implements Outcome {}

    /**
     * The change was taken over.
     *
     * @param realms names of the realms that were added, changed or removed
     */
    record Accepted(List<String> realms) implements Outcome {}

    /** The old configuration stays in use. */
    record Rejected(List<Problem> problems) implements Outcome {}
  }

  private final ConfigurationFiles files;
  private final AuditLog audit;
  private final InstantSource clock;
  private final Configuration atStart;
  private final Path root;
  private final String nodeFilesAtStart;
  private final ReentrantLock changing = new ReentrantLock();
  private final List<Consumer<Collection<Realm>>> listeners = new ArrayList<>();
  private final List<Consumer<FileTree>> histories = new ArrayList<>();
  private volatile Check check = Check.NONE;
  private volatile ServedRealms served;
  private volatile Status status;

  /** The realms' files in use; guarded by {@link #changing}. */
  private FileTree used;

  /** Files of the configuration in use that others follow; guarded by {@link #changing}. */
  private Set<Path> followed;

  /**
   * Uses a first configuration, and records its realms in the audit log.
   *
   * @throws ConfigurationInvalid with every problem
   */
  public RealmsInUse(ConfigurationFiles files, Result first, AuditLog audit, InstantSource clock) throws ConfigurationInvalid {
    this.atStart = first.configuration();
    this.files = files;
    this.audit = audit;
    this.clock = clock;
    this.root = first.root();
    this.nodeFilesAtStart = first.nodeFiles();
    this.served = ServedRealms.of(atStart.realms());
    this.used = first.tree();
    this.followed = first.realmFiles().followed();
    this.status = new Status(served.revisions(), clock.instant(), Optional.empty(), false);
    served.byName().values().forEach(realm -> audit.record(accepted(realm, "at start")));
  }

  /** Returns the node's configuration as it was at start. */
  public Node node() {
    return atStart.node();
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
    exclusively(
        () -> {
          listener.accept(all());
          return listeners.add(listener);
        });
  }

  /** Calls the listener with the realms' files in use: now, and after each change that was taken over. */
  public void onFiles(Consumer<FileTree> listener) {
    exclusively(
        () -> {
          listener.accept(used);
          return histories.add(listener);
        });
  }

  /** Sets a check of all realms that come into use from now on. */
  public void require(Check own) {
    check = own;
  }

  /** Returns why realms that were read cannot come into use, though their files are right. */
  public List<Problem> unusable(Result read) {
    return read.usable().stream()
        .flatMap(configuration -> configuration.realms().stream())
        .flatMap(realm -> check.problems(find(realm.name()), realm, read.root().resolve("realms").resolve(realm.name() + ".yaml")).stream())
        .toList();
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
    return exclusively(
        () -> {
          ProposedFiles.Plan plan = new ProposedFiles(files, root, used, followed).plan(proposed, complete);
          List<Problem> problems = new ArrayList<>(plan.problems());
          plan.result().map(this::unusable).ifPresent(problems::addAll);
          return new ProposedFiles.Plan(plan.tree(), List.copyOf(problems), plan.result());
        });
  }

  /** Returns why the node may not connect to a URL for administrators of that realm alone; empty if it may. */
  public Optional<Problem> destination(String realm, String url) {
    return new ProposedFiles.OneRealm(realm, Set.of(), node().listeners()).destination(files, find(realm), url);
  }

  /** Does something while no configuration is taken over. */
  public <T> T exclusively(Supplier<T> work) {
    changing.lock();
    try {
      return work.get();
    } finally {
      changing.unlock();
    }
  }

  /** Returns the realms' files in use. */
  public FileTree files() {
    return exclusively(() -> used);
  }

  /**
   * Takes over what was read, or rejects it.
   *
   * @param commit stores the change, after it was audited and before it takes effect; throws if it must not
   */
  public Outcome take(Result result, Runnable commit) {
    return exclusively(() -> takeNow(result, commit));
  }

  private Outcome takeNow(Result result, Runnable commit) {
    Optional<Configuration> usable = result.usable();
    if (usable.isEmpty()) {
      return reject(result.problems());
    }
    List<Problem> unusable = unusable(result);
    if (!unusable.isEmpty()) {
      return reject(unusable);
    }
    Outcome outcome = accept(result, usable.get(), commit);
    FileTree read = result.tree();
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

  private Outcome accept(Result result, Configuration configuration, Runnable commit) {
    ServedRealms next = ServedRealms.of(configuration.realms());
    SortedMap<String, String> changes = served.changesTo(next);
    try {
      changes.forEach((name, what) -> audit.record(changed(name, next.byName().get(name), what)));
    } catch (AuditUnavailable e) {
      // A change that cannot be audited does not happen (the audit log's own rule).
      String remedy = "make the audit log writable and reload";
      return reject(List.of(new Problem(files.directory(), 0, "-", "the change cannot be audited", remedy)));
    }
    commit(commit);
    boolean restart = restartNeeded(result, configuration);
    if (!changes.isEmpty()) {
      notify(listeners, next.byName().values());
      served = next;
      log.info("Configuration taken over: {}", changes);
    }
    Instant acceptedAt = changes.isEmpty() ? status.acceptedAt() : clock.instant();
    status = new Status(next.revisions(), acceptedAt, Optional.empty(), restart);
    return changes.isEmpty() ? new Outcome.Unchanged() : new Outcome.Accepted(List.copyOf(changes.keySet()));
  }

  private void commit(Runnable commit) {
    try {
      commit.run();
    } catch (RuntimeException e) {
      String detail = "the change was not stored, the old configuration stays in use";
      recordIfPossible(new ConfigurationChanged(AuditEvent.Context.node(), "realms", "-", false, detail));
      throw e;
    }
  }

  private boolean restartNeeded(Result result, Configuration configuration) {
    boolean restart =
        !configuration.node().equals(atStart.node())
            || configuration.source() != atStart.source()
            || !result.nodeFiles().equals(nodeFilesAtStart);
    if (restart && !status.restartNeeded()) {
      log.warn("{} has changed; it takes effect after a restart", ConfigurationFiles.NODE);
      recordIfPossible(
          new ConfigurationChanged(
              AuditEvent.Context.node(), ConfigurationFiles.NODE, "-", false, "needs a restart"));
    }
    return restart;
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
}
