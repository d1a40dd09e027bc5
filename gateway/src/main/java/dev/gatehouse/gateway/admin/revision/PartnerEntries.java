package dev.gatehouse.gateway.admin.revision;

import dev.gatehouse.common.revision.ChangeScope;
import dev.gatehouse.common.revision.StoredRealms.ProposedChange;
import dev.gatehouse.gateway.admin.revision.RealmEntries.EntryChange;
import dev.gatehouse.gateway.admin.revision.RevisionViews.PlanView;
import java.util.HashMap;
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

  PartnerEntries(RealmEntries entries, RevisionChanges changes, RevisionEndpoint revisions) {
    this.entries = entries;
    this.changes = changes;
    this.revisions = revisions;
  }

  /** Returns the entry in use, without secrets. */
  public Optional<Map<String, Object>> find(String realm, String kind, String id) {
    return Optional.ofNullable(entries.all(realm, EntryKind.of(kind)).get(id));
  }

  /** Returns an entry; a key without a value is left out. */
  public ImportedEntry entry(String realm, String kind, String id, Map<String, @Nullable Object> value, Map<String, byte[]> files) {
    return new ImportedEntry(realm, kind, id, RealmEntries.withoutNulls(value), Map.copyOf(files));
  }

  /** Returns the entry as it would stand in the realm's file. */
  public String text(ImportedEntry entry) {
    return RealmEntries.text(EntryKind.of(entry.kind()), entry.value());
  }

  /** Returns what the entry would change, and its problems; also where the configuration is read from files. */
  public PlanView plan(ImportedEntry entry, String administrator) {
    EntryChange change = change(entry, 0, administrator, "-");
    Map<String, byte[]> files = new HashMap<>(entry.files());
    files.putAll(entries.proposed(change, new HashMap<>(entry.value())));
    ProposedChange proposed = new ProposedChange(0, files, false, Map.of(), administrator, "-", ChangeScope.all());
    return Objects.requireNonNull(revisions.plan(proposed).getBody());
  }

  /** Brings the entry into use, as a new revision made for that of {@code If-Match}. */
  public ResponseEntity<PlanView> put(ImportedEntry entry, String ifMatch, String administrator, String reason) {
    long expected = changes.expected(ifMatch);
    EntryChange change = change(entry, expected, administrator, RevisionChanges.reason(Optional.of(reason)));
    return revisions.answer(expected, entries.put(change, new HashMap<>(entry.value()), entry.files()), ChangeScope.all());
  }

  /** Throws unless the configuration can be changed here, and for the revision of {@code If-Match}. */
  public void requireCurrent(String ifMatch) {
    long expected = changes.expected(ifMatch);
    if (expected != changes.inUse()) {
      throw changes.stale(expected, changes.inUse(), ChangeScope.all());
    }
  }

  /** Returns the entity tag of the revision in use. */
  public String tag() {
    return RevisionEndpoint.tag(changes.inUse());
  }

  private static EntryChange change(ImportedEntry entry, long expected, String administrator, String reason) {
    return new EntryChange(entry.realm(), EntryKind.of(entry.kind()), entry.id(), expected, administrator, reason, ChangeScope.all());
  }
}
