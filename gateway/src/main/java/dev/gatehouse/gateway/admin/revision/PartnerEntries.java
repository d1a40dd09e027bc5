package dev.gatehouse.gateway.admin.revision;

import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.revision.ChangeScope;
import dev.gatehouse.common.revision.SecretText;
import dev.gatehouse.common.revision.StoredRealms.ProposedChange;
import dev.gatehouse.common.revision.StoredRealms;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import dev.gatehouse.gateway.admin.revision.RealmEntries.EntryChange;
import dev.gatehouse.gateway.admin.revision.RevisionViews.PlanView;
import dev.gatehouse.gateway.admin.web.AdminRights;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;

/** The entries of a realm's partners and providers, for imports: each with the files that it names. */
public final class PartnerEntries {

  /**
   * An entry that is imported.
   *
   * @param kind {@code partners} or {@code providers}
   * @param id of the entry
   * @param value the keys of the configuration
   * @param files that it names, by their paths within the configuration directory
   */
  public record ImportedEntry(String realm, String kind, String id, Map<String, Object> value, Map<String, byte[]> files) {

    /** Does not contain contents. */
    @Override
    public String toString() {
      return "ImportedEntry[" + realm + ", " + kind + ", " + id + ", " + files.keySet() + "]";
    }
  }

  private final RealmEntries entries;
  private final RevisionChanges changes;
  private final RevisionEndpoint revisions;
  private final ConfigurationControl control;

  PartnerEntries(RealmEntries entries, RevisionChanges changes, RevisionEndpoint revisions, ConfigurationControl control) {
    this.entries = entries;
    this.changes = changes;
    this.revisions = revisions;
    this.control = control;
  }

  /** Returns the entry in use, with secrets that the realm's file has itself: what is shown of it goes through {@link #text}. */
  public Optional<Map<String, Object>> find(String realm, String kind, String id) {
    return entries.find(realm, EntryKind.of(kind), id);
  }

  /** Returns an entry; a key without a value is left out. */
  public ImportedEntry entry(String realm, String kind, String id, Map<String, @Nullable Object> value, Map<String, byte[]> files) {
    return new ImportedEntry(realm, kind, id, RealmEntries.withoutNulls(value), Map.copyOf(files));
  }

  /** Returns the entry as it would stand in the realm's file, without secrets. */
  public String text(ImportedEntry entry) {
    return SecretText.masked(RealmEntries.text(EntryKind.of(entry.kind()), entry.value()));
  }

  /** Returns what an administrator may import into a realm; throws if that is nothing. */
  public ChangeScope scope(AdminRights rights, String realm) {
    return changes.scope(rights, realm);
  }

  /** Returns what the entry would change, and its problems; administrators of all realms ask also where the configuration is in files. */
  public PlanView plan(ImportedEntry entry, AdminRights rights) {
    EntryChange change = change(entry, 0, rights, "-");
    Map<String, byte[]> files = new HashMap<>(entry.files());
    files.putAll(entries.proposed(change, new HashMap<>(entry.value())));
    ProposedChange proposed = new ProposedChange(0, files, false, Map.of(), rights.administrator(), "-", change.scope());
    return Objects.requireNonNull(revisions.plan(proposed).getBody());
  }

  /** Brings the entry into use, as a new revision made for that of {@code If-Match}. */
  public ResponseEntity<PlanView> put(ImportedEntry entry, String ifMatch, AdminRights rights, String reason) {
    long expected = changes.expected(ifMatch);
    EntryChange change = change(entry, expected, rights, RevisionChanges.reason(Optional.of(reason)));
    return revisions.answer(expected, entries.put(change, new HashMap<>(entry.value()), entry.files()), change.scope());
  }

  /** Returns the entries of a list by their ids, with secrets that the realm's file has itself. */
  public Map<String, Map<String, Object>> all(String realm, String kind) {
    return entries.allInFile(realm, EntryKind.of(kind));
  }

  /**
   * Many entries of a realm.
   *
   * @param size of the realm's file with them, in bytes
   * @param files that and those that the entries name, by their paths
   */
  public record ImportedEntries(int size, Map<String, byte[]> files) {

    /** Does not contain contents. */
    @Override
    public String toString() {
      return "ImportedEntries[" + files.size() + " files]";
    }
  }

  /** Returns entries of one list of a realm, each added or in the place of the one with its id. */
  public ImportedEntries together(String realm, String kind, List<ImportedEntry> all) {
    Map<String, byte[]> file = entries.proposed(realm, EntryKind.of(kind), all.stream().map(ImportedEntry::value).toList());
    Map<String, byte[]> files = new HashMap<>(file);
    all.forEach(entry -> files.putAll(entry.files()));
    return new ImportedEntries(file.values().iterator().next().length, files);
  }

  /** Returns the problems that the configuration with those entries would have. */
  public List<Problem> problems(ImportedEntries imported, ChangeScope scope) {
    return control.plan(imported.files(), false, Map.of(), scope).problems();
  }

  /**
   * Brings those entries into use, as one new revision.
   *
   * @param expected the revision that they were made for
   */
  public StoredRealms.Change putAll(ImportedEntries imported, long expected, ChangeScope scope, String administrator, String reason) {
    return changes.apply(
        new ProposedChange(
            expected, imported.files(), false, Map.of(), administrator, RevisionChanges.reason(Optional.of(reason)), scope));
  }

  /** Returns the number of the revision of {@code If-Match}. */
  public long expected(String ifMatch) {
    return changes.expected(ifMatch);
  }

  /** Throws unless the configuration can be changed here, by that administrator, and for the revision of {@code If-Match}. */
  public void requireCurrent(String ifMatch, AdminRights rights, String realm) {
    long expected = changes.expected(ifMatch);
    ChangeScope scope = scope(rights, realm);
    if (expected != changes.inUse()) {
      throw changes.stale(expected, changes.inUse(), scope);
    }
  }

  /** Returns the entity tag of the revision in use. */
  public String tag() {
    return RevisionEndpoint.tag(changes.inUse());
  }

  private EntryChange change(ImportedEntry entry, long expected, AdminRights rights, String reason) {
    ChangeScope scope = scope(rights, entry.realm());
    return new EntryChange(entry.realm(), EntryKind.of(entry.kind()), entry.id(), expected, rights.administrator(), reason, scope);
  }
}
