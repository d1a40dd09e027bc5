package dev.gatehouse.common.revision;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.db.Revision;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.common.realm.file.ProposedFiles;
import dev.gatehouse.common.realm.inuse.RealmsInUse;
import dev.gatehouse.common.realm.yaml.FileTree;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The realms of a revision in the database, which administrators replace by another one. A change is checked as a whole, audited,
 * stored together with the number of the revision in use, and then taken over; a node that is killed in between has either the old
 * revision or the new one at its next start. Blocks: call on virtual threads only.
 */
public final class StoredRealms {

  private static final Logger log = LoggerFactory.getLogger(StoredRealms.class);

  /**
   * A change of the configuration.
   *
   * @param expected the revision that it was made for
   * @param files contents by their paths ({@code realms/demo.yaml}, {@code certs/ca.pem})
   * @param complete whether realms without a file here are removed
   * @param secrets new values by their names
   * @param author the name of the administrator
   * @param scope what the administrator may change
   */
  public record ProposedChange(
      long expected,
      Map<String, byte[]> files,
      boolean complete,
      Map<String, byte[]> secrets,
      String author,
      String reason,
      ChangeScope scope) {

    /** Does not contain contents and values. */
    @Override
    public String toString() {
      return "ProposedChange[" + expected + ", " + files.keySet() + ", " + secrets.keySet() + ", " + author + "]";
    }
  }

  /** The result of a change. */
  public sealed interface Change {
    /** The revision is in use. */
    record Applied(Revision revision) implements Change {}

    /** Nothing differs from the revision in use. */
    record Unchanged(long number) implements Change {}

    /** Nothing was changed. */
    record Invalid(List<Problem> problems) implements Change {}

    /** Another revision than expected is in use; nothing was changed. */
    record Conflict(long current) implements Change {}
  }

  private final ConfigurationFiles files;
  private final RevisionStore store;
  private final RevisionFolder folder;
  private final RealmsInUse inUse;
  private volatile long served;
  private final UnservedRevision unserved;

  private StoredRealms(ConfigurationFiles files, RevisionStore store, RevisionFolder folder, RealmsInUse inUse, InstantSource clock) {
    this.unserved = new UnservedRevision(clock);
    this.files = files;
    this.store = store;
    this.folder = folder;
    this.inUse = inUse;
  }

  /**
   * Uses the revision that the database says is in use. If there is none, the files beside {@code gatehouse.yaml} are imported.
   *
   * @throws ConfigurationInvalid with every problem; nothing was changed then
   */
  public static StoredRealms open(ConfigurationFiles files, Node node, RevisionStore store, AuditLog audit, InstantSource clock)
      throws ConfigurationInvalid {
    RevisionFolder folder = new RevisionFolder(ConfigurationFiles.inUse(node));
    folder.clear();
    Optional<LocalRevision.Held> used = store.first();
    ImportedFiles imported = used.isPresent() ? ImportedFiles.NONE : ImportedFiles.of(files);
    FileTree tree = used.map(LocalRevision.Held::tree).orElseGet(() -> imported.tree(store.secretFiles()));
    ProposedFiles.Plan plan = ProposedFiles.ofRevision(files, folder.path(), tree, folder, Optional.empty()).asTheyAre();
    ConfigurationFiles.Result result = plan.result().orElseThrow(() -> new ConfigurationInvalid(plan.problems()));
    RealmsInUse inUse = new RealmsInUse(files, result, audit, clock);
    long number = used.map(LocalRevision.Held::number).orElse(0L);
    if (used.isEmpty()) {
      String reason = "Imported from " + files.directory().toAbsolutePath().normalize();
      Optional<Revision> first = store.use(0, plan.tree(), imported.secrets(), Revision.FILES, reason);
      if (first.isEmpty()) {
        // Another node has imported its files meanwhile: those count.
        return open(files, node, store, audit, clock);
      }
      number = first.get().number();
      log.info("{}: revision {}", reason, number);
      imported.notes().forEach(note -> log.info("Import: {}", note));
    }
    folder.keep();
    StoredRealms realms = new StoredRealms(files, store, folder, inUse, clock);
    realms.served = number;
    realms.copy(plan.tree());
    return realms;
  }

  public RealmsInUse inUse() {
    return inUse;
  }

  /** Returns the number of the revision that this node serves. */
  public long served() {
    return served;
  }

  /** Brings the revision into use that another node brought into use; does nothing if this node serves it. */
  public void follow() {
    if (number() != served) {
      inUse.exclusively(() -> onTrial(this::followNow));
    }
  }

  private long followNow() {
    long number = number();
    if (number == served || unserved.is(number)) {
      return number;
    }
    if (number < served) {
      // Numbers only rise: the database is an older copy.
      log.error("The database says that revision {} is in use, after {}: it is an older copy, and {} is served on", number, served, served);
      unserved.forGood(number);
      return number;
    }
    ProposedFiles.Plan plan = ProposedFiles.ofRevision(files, folder.path(), store.tree(number), folder, Optional.empty()).asTheyAre();
    Optional<RealmsInUse.Outcome> outcome = plan.result().map(result -> inUse.take(result, () -> {}));
    if (!plan.problems().isEmpty() || outcome.isEmpty()) {
      unserved.forGood(number);
      log.error("Revision {} of another node cannot be served here: {}", number, plan.problems());
      return number;
    }
    if (outcome.get() instanceof RealmsInUse.Outcome.Rejected(List<Problem> problems)) {
      if (unserved.forNow(number)) {
        log.error("Revision {} of another node cannot be served here now, which is tried again and again: {}", number, problems);
      }
      return number;
    }
    served = number;
    folder.keep();
    copy(plan.tree());
    log.info("Revision {} of another node is in use", number);
    return number;
  }

  /** Changes what this node serves, which must be what all nodes serve. */
  private Change current(LongFunction<Change> change) {
    return inUse.exclusively(
        () -> {
          follow();
          long current = number();
          return current == served ? change.apply(current) : new Change.Conflict(current);
        });
  }

  /** Returns the number of the revision in use. */
  public long number() {
    return store.inUse().orElse(0L);
  }

  /** Checks a change; nothing of it takes effect. The expected revision does not matter. */
  public ProposedFiles.Plan plan(ProposedChange change) {
    return inUse.exclusively(() -> onTrial(() -> planNow(change)));
  }

  /** Checks that text as the configuration of a realm; nothing of it takes effect. */
  public ConfigurationFiles.Proposal propose(String realm, String text, ChangeScope scope) {
    return inUse.exclusively(() -> onTrial(() -> proposed(present(), Set.of(), scope).propose(realm, text)));
  }

  /** Leaves nothing on the disk of what does not come into use. */
  private <T> T onTrial(Supplier<T> work) {
    try {
      return work.get();
    } finally {
      folder.discard();
    }
  }

  /** Brings a change into use. */
  public Change apply(ProposedChange change) {
    return apply(change, tree -> {});
  }

  /** @param before is told the files just before they come into use, and may refuse by an exception */
  public Change apply(ProposedChange change, Consumer<FileTree> before) {
    return current(current -> current == change.expected() ? onTrial(() -> applyNow(change, before)) : new Change.Conflict(current));
  }

  private ProposedFiles proposed(FileTree present, Set<String> secrets, ChangeScope scope) {
    return ProposedFiles.ofRevision(files, folder.path(), present, folder, scope.bounds(secrets, inUse.node()));
  }

  /** Brings {@code what} of a revision back into use, as a new revision; secrets keep their present values. */
  public Change rollBack(long to, ProposedChange change, ChangeScope what, Consumer<FileTree> before) {
    Map<String, byte[]> contents = store.contents(to);
    contents.keySet().removeIf(path -> !what.includesFile(path));
    boolean all = what.equals(ChangeScope.all());
    return apply(
        new ProposedChange(change.expected(), contents, all, Map.of(), change.author(), change.reason(), change.scope()), before);
  }

  /**
   * Stores a secret. A secret that the revision in use names takes effect at once, as a new revision.
   *
   * @return the result; {@link Change.Unchanged} if no realm uses the secret
   */
  public Change keepSecret(String name, byte[] value, String author, ChangeScope scope) {
    return current(
        current -> {
          if (!inUse.files().files().containsKey(FileTree.secret(name))) {
            store.keepSecret(name, value, author);
            return new Change.Unchanged(current);
          }
          ProposedChange change = new ProposedChange(current, Map.of(), false, Map.of(name, value), author, "Secret " + name, scope);
          return onTrial(() -> applyNow(change, tree -> {}));
        });
  }

  /** The result of removing a secret; one that the revision in use names is not removed. */
  public enum Removal { REMOVED, UNKNOWN, IN_USE }

  /** Removes a secret that the revision in use does not name. */
  public Removal removeSecret(String name) {
    return inUse.exclusively(
        () -> isNamed(FileTree.secret(name)) ? Removal.IN_USE : store.removeSecret(name) ? Removal.REMOVED : Removal.UNKNOWN);
  }

  /** Another node may have brought a revision into use that this one does not serve yet. */
  private boolean isNamed(String secret) {
    return inUse.files().files().containsKey(secret) || store.files(number()).stream().anyMatch(file -> file.path().equals(secret));
  }

  private Change applyNow(ProposedChange change, Consumer<FileTree> before) {
    ProposedFiles.Plan plan = planNow(change);
    if (!plan.problems().isEmpty()) {
      return new Change.Invalid(plan.problems());
    }
    if (plan.tree().equals(inUse.files())) {
      change.secrets().forEach((name, value) -> store.keepSecret(name, value, change.author()));
      return new Change.Unchanged(change.expected());
    }
    before.accept(plan.tree());
    List<Revision> stored = new ArrayList<>();
    try {
      RealmsInUse.Outcome outcome = inUse.take(plan.result().orElseThrow(), () -> stored.add(store(change, plan.tree())));
      if (outcome instanceof RealmsInUse.Outcome.Rejected(List<Problem> problems)) {
        return new Change.Invalid(problems);
      }
    } catch (ChangedMeanwhile e) {
      return new Change.Conflict(number());
    }
    served = stored.getFirst().number();
    folder.keep();
    copy(plan.tree());
    return new Change.Applied(stored.getFirst());
  }

  private Revision store(ProposedChange change, FileTree tree) {
    return store.use(change.expected(), tree, change.secrets(), change.author(), change.reason()).orElseThrow(ChangedMeanwhile::new);
  }

  /** A copy that cannot be written does not undo a change that is stored and in use. */
  private void copy(FileTree tree) {
    store.keep(served, tree);
    try {
      folder.copy(tree);
    } catch (UncheckedIOException e) {
      log.warn("The copy of the configuration in use cannot be written; commands see the former one until the next change or start", e);
    }
  }

  private ProposedFiles.Plan planNow(ProposedChange change) {
    SortedMap<String, FileTree.File> tree = new TreeMap<>(present().files());
    change.secrets().forEach((name, value) -> tree.put(FileTree.secret(name), new FileTree.File(value, true)));
    ProposedFiles proposed = proposed(new FileTree(tree), change.secrets().keySet(), change.scope());
    ProposedFiles.Plan plan = proposed.plan(change.files(), change.complete());
    List<Problem> problems = new ArrayList<>(plan.problems());
    plan.result().map(inUse::unusable).ifPresent(problems::addAll);
    problems.addAll(new SecretChecks(folder.path()).of(plan.tree(), change.secrets().keySet(), change.scope()));
    return new ProposedFiles.Plan(plan.tree(), List.copyOf(problems), plan.result());
  }

  /** Returns the files in use, and all secrets. */
  private FileTree present() {
    SortedMap<String, FileTree.File> tree = new TreeMap<>(inUse.files().files());
    tree.putAll(store.secretFiles());
    return new FileTree(tree);
  }

  /** Brings imported files into use, if those in use were imported, too. Files that are in use already are not checked again. */
  public Change importAgain(ImportedFiles imported) {
    return current(
        used -> {
          if (imported.tree(Map.of()).equals(inUse.files()) || !isImported(used)) {
            return new Change.Unchanged(used);
          }
          ProposedChange change =
              new ProposedChange(used, imported.files(), true, imported.secrets(), Revision.FILES, "Imported again", ChangeScope.all());
          return onTrial(() -> applyNow(change, tree -> {}));
        });
  }

  private boolean isImported(long number) {
    return store.find(number).map(Revision::author).filter(Revision.FILES::equals).isPresent();
  }

  /** Checks the revision in use again, with the present {@code gatehouse.yaml}. */
  public void reload() {
    inUse.exclusively(
        () -> {
          ProposedFiles.Plan plan = proposed(present(), Set.of(), ChangeScope.all()).asTheyAre();
          folder.keep();
          return plan.result().map(result -> inUse.take(result, () -> {}));
        });
  }

  /** Returns the folder with a copy of the revision in use. */
  public Path folder() {
    return folder.path();
  }
}
