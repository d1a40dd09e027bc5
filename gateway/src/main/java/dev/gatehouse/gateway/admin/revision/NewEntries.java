package dev.gatehouse.gateway.admin.revision;

import dev.gatehouse.common.revision.ChangeScope;
import dev.gatehouse.common.revision.StoredRealms.Change;
import dev.gatehouse.common.revision.StoredRealms.ProposedChange;
import dev.gatehouse.gateway.admin.revision.RevisionViews.PlanView;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.springframework.http.ResponseEntity;

/** Adds entries to realms together with the files and secrets that they name, as one revision. */
public final class NewEntries {

  /**
   * An entry that a realm does not have yet.
   *
   * @param kind partners, clients, providers, policies or routes
   * @param value the keys of the configuration
   * @param files contents by their paths within the configuration directory
   * @param secrets values by their names
   */
  public record NewEntry(String realm, String kind, Map<String, Object> value, Map<String, byte[]> files, Map<String, byte[]> secrets) {

    /** Does not contain contents and values. */
    @Override
    public String toString() {
      return "NewEntry[" + realm + ", " + kind + ", " + files.keySet() + ", " + secrets.keySet() + "]";
    }
  }

  private final RealmEntries entries;
  private final RevisionChanges changes;
  private final RevisionEndpoint revisions;

  NewEntries(RealmEntries entries, RevisionChanges changes, RevisionEndpoint revisions) {
    this.entries = entries;
    this.changes = changes;
    this.revisions = revisions;
  }

  /** Returns what adding the entry would change, with all problems; nothing takes effect. */
  public PlanView plan(NewEntry entry, String administrator) {
    changes.stored();
    return Objects.requireNonNull(revisions.plan(proposed(entry, 0, administrator, "-")).getBody());
  }

  /**
   * Adds the entry, as a new revision.
   *
   * @param ifMatch the revision that the change was made for, in quotation marks
   * @return 201; or 422 with the problems
   */
  public ResponseEntity<PlanView> add(NewEntry entry, String ifMatch, String reason, String administrator) {
    long expected = changes.expected(ifMatch);
    String why = RevisionChanges.reason(Optional.of(reason));
    long inUse = changes.inUse();
    if (inUse != expected) {
      // The entry of somebody who sent the same form twice would otherwise be said to be there already.
      return revisions.answer(expected, new Change.Conflict(inUse), ChangeScope.all());
    }
    return revisions.answer(expected, changes.apply(proposed(entry, expected, administrator, why)), ChangeScope.all());
  }

  /** Apps are added by administrators of all realms. */
  private ProposedChange proposed(NewEntry entry, long expected, String administrator, String why) {
    return new ProposedChange(expected, files(entry), false, entry.secrets(), administrator, why, ChangeScope.all());
  }

  private Map<String, byte[]> files(NewEntry entry) {
    Map<String, byte[]> files = new HashMap<>(entry.files());
    files.putAll(entries.added(entry.realm(), EntryKind.of(entry.kind()), entry.value()));
    return files;
  }
}
