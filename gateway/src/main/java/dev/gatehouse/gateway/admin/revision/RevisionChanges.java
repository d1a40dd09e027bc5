package dev.gatehouse.gateway.admin.revision;

import dev.gatehouse.common.db.Revision;
import dev.gatehouse.common.revision.ChangeScope;
import dev.gatehouse.common.revision.RevisionDiff;
import dev.gatehouse.common.revision.RevisionStore;
import dev.gatehouse.common.revision.StoredRealms;
import dev.gatehouse.common.revision.StoredRealms.Change;
import dev.gatehouse.common.revision.StoredRealms.ProposedChange;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.Conflict;
import dev.gatehouse.gateway.admin.web.Precondition;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import dev.gatehouse.common.realm.yaml.FileTree;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Changes the configuration where it is in the database, and audits who does; refuses where it is in files. */
public final class RevisionChanges {

  private static final Pattern TAG = Pattern.compile("\"(\\d{1,18})\"");
  private static final int LONGEST_REASON = 1000;

  /** Files of a change in the audit log. */
  private static final int MOST_NAMED = 50;

  /** Files of realms, in bytes, that are compared by fields for the audit log. */
  private static final long LARGEST_COMPARED = 256 << 10;

  private final RevisionStore revisions;
  private final ConfigurationControl control;
  private final Optional<StoredRealms> stored;
  private final AdminAudit audit;

  /** @param stored empty where the configuration is read from files */
  RevisionChanges(RevisionStore revisions, ConfigurationControl control, Optional<StoredRealms> stored, AdminAudit audit) {
    this.revisions = revisions;
    this.control = control;
    this.stored = stored;
    this.audit = audit;
  }

  /** Returns the number of the revision in use; 0 if none is stored yet. */
  public long inUse() {
    return stored.map(StoredRealms::number).or(() -> revisions.latest().map(Revision::number)).orElse(0L);
  }

  /** Returns the revision that a change was made for. */
  long expected(String ifMatch) {
    stored();
    if (ifMatch.isEmpty()) {
      throw Precondition.required("Write If-Match with the revision that the change was made for: " + RevisionEndpoint.tag(inUse()) + " is in use.");
    }
    return number(ifMatch);
  }

  /** Returns the number of an entity tag. */
  static long number(String ifMatch) {
    Matcher tag = TAG.matcher(ifMatch.strip());
    if (!tag.matches()) {
      throw new BadRequest("If-Match has the number of a revision in quotation marks, like \"7\".");
    }
    return Long.parseLong(tag.group(1));
  }

  /** Returns the reason of a change. */
  static String reason(Optional<String> given) {
    String reason = given.map(String::strip).filter(text -> !text.isEmpty()).orElse("-");
    if (reason.length() > LONGEST_REASON || reason.chars().anyMatch(Character::isISOControl)) {
      throw new BadRequest("`reason` is one line of at most " + LONGEST_REASON + " characters.");
    }
    return reason;
  }

  /** Returns what an administrator may change for a realm; see {@link ConfigurationControl#scope}. */
  ChangeScope scope(AdminRights rights, String realm) {
    return control.scope(rights, realm);
  }

  /** Returns the realm of a change in the audit log. */
  static String audited(ChangeScope scope) {
    return scope instanceof ChangeScope.OneRealm(String realm) ? realm : AdminRights.NODE;
  }

  Change apply(ProposedChange change) {
    StoredRealms realms = stored();
    Map<String, String> details =
        Map.of(
            "files", named(change.files().keySet()),
            "secrets", String.join(" ", change.secrets().keySet()),
            "expected", String.valueOf(change.expected()),
            "reason", change.reason());
    return audited(change, audited(change.scope()), "configuration.apply", details, before -> realms.apply(change, before));
  }

  private static String named(Set<String> files) {
    return named(files.stream().sorted().toList(), " ");
  }

  private static String named(List<String> names, String between) {
    String more = names.size() > MOST_NAMED ? between + "and " + (names.size() - MOST_NAMED) + " more" : "";
    return names.stream().limit(MOST_NAMED).collect(Collectors.joining(between)) + more;
  }

  Change rollBack(long number, long expected, AdminRights rights, String reason, Optional<String> realm) {
    StoredRealms realms = stored();
    ChangeScope what = realm.<ChangeScope>map(ChangeScope.OneRealm::new).orElse(ChangeScope.all());
    ChangeScope scope = realm.map(name -> scope(rights, name)).orElse(ChangeScope.all());
    Map<String, String> details = Map.of("to", String.valueOf(number), "expected", String.valueOf(expected), "reason", reason);
    ProposedChange change = new ProposedChange(expected, Map.of(), false, Map.of(), rights.administrator(), reason, scope);
    return audited(change, audited(what), "configuration.rollback", details, before -> realms.rollBack(number, change, what, before));
  }

  /**
   * Carries out a change that is audited when its files are known to be right, just before they come into use; one that is refused, or
   * changes nothing, is audited as such.
   */
  private Change audited(
      ProposedChange change, String realm, String action, Map<String, String> details, Function<Consumer<FileTree>, Change> work) {
    AtomicBoolean recorded = new AtomicBoolean();
    Map<String, String> all = new HashMap<>(details);
    all.put("before", String.valueOf(change.expected()));
    Change result =
        work.apply(
            tree -> {
              all.put("after", String.valueOf(change.expected() + 1));
              fields(change.expected(), tree).ifPresent(fields -> all.put("fields", fields));
              audit.record(realm, change.author(), action, all);
              recorded.set(true);
            });
    if (!recorded.get()) {
      all.put("after", "-");
      audit.record(realm, change.author(), action, all);
    }
    return result;
  }

  /** Returns the names of the fields that differ, never their values; empty if the files are too large to compare while somebody waits. */
  private Optional<String> fields(long before, FileTree tree) {
    Map<String, FileTree.File> present = stored().inUse().files().files();
    long bytes =
        tree.files().entrySet().stream()
            .filter(file -> FileTree.realm(file.getKey()).isPresent() && !file.getValue().equals(present.get(file.getKey())))
            .mapToLong(file -> file.getValue().content().length)
            .sum();
    if (bytes > LARGEST_COMPARED) {
      return Optional.empty();
    }
    List<String> fields =
        revisions.diff(before, tree).subjects().stream()
            .flatMap(
                subject ->
                    subject.fields().stream()
                        .map(field -> String.join("/", subject.realm(), subject.kind(), subject.name(), field.field())))
            .toList();
    return Optional.of(named(fields, "; "));
  }

  /** Returns the error of a change that was made for another revision, with what differs. */
  Precondition stale(long expected, long current, ChangeScope scope) {
    Optional<RevisionDiff> diff = revisions.find(expected).map(revision -> revisions.diff(revision.number(), current).within(scope));
    return Precondition.failed(
        "Revision " + current + " is in use, and the change was made for " + expected + ". Nothing was changed.",
        Map.of(
            "inUse", current,
            "changes", diff.map(RevisionViews::changes).orElseGet(List::of),
            "files", diff.map(RevisionViews::files).orElseGet(List::of)));
  }

  /** Returns the configuration in the database; throws where it is in files. */
  public StoredRealms stored() {
    return stored.orElseThrow(
        () ->
            new Conflict(
                "The configuration is read from files: change those in " + control.directory().toAbsolutePath().normalize()
                    + "; they are in use within a second."));
  }
}
