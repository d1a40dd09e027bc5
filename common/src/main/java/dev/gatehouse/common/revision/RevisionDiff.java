package dev.gatehouse.common.revision;

import dev.gatehouse.common.realm.yaml.FileTree;
import dev.gatehouse.common.revision.DeclaredValue.Subject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The difference of two revisions, without secrets.
 *
 * @param files the files that differ, ordered by path
 * @param subjects what differs by the declared keys: partners, clients, routes and so on
 */
public record RevisionDiff(List<FileDiff> files, List<SubjectDiff> subjects) {

  /** The kind of a change. */
  public enum Change {
    ADDED,
    CHANGED,
    REMOVED
  }

  /**
   * A file that differs.
   *
   * @param text the difference in the unified format; empty if it is not text, or a secret
   */
  public record FileDiff(String path, Change change, boolean isSecret, Optional<String> text) {}

  /**
   * A configured thing that differs.
   *
   * @param kind as {@code partner}, {@code route}, {@code setting}
   */
  public record SubjectDiff(String realm, String kind, String name, Change change, List<FieldDiff> fields) {}

  /**
   * A field that differs.
   *
   * @param before empty if the field is new
   * @param after empty if the field was removed
   */
  public record FieldDiff(String field, Optional<String> before, Optional<String> after) {}

  private static final String SECRET = "(secret)";

  /** Returns the part that administrators with that scope may see. */
  public RevisionDiff within(ChangeScope scope) {
    return new RevisionDiff(
        files.stream().filter(file -> scope.includesFile(file.path())).toList(),
        subjects.stream().filter(subject -> scope.includesRealm(subject.realm())).toList());
  }

  /** A file as far as it is known: its digest, and its text unless it is a secret or no text. */
  record Side(String digest, boolean isSecret, Optional<String> text) {}

  /** Compares files by their paths. */
  static RevisionDiff of(SortedMap<String, Side> before, SortedMap<String, Side> after) {
    TreeSet<String> paths = new TreeSet<>(before.keySet());
    paths.addAll(after.keySet());
    List<FileDiff> files = new ArrayList<>();
    List<SubjectDiff> subjects = new ArrayList<>();
    for (String path : paths) {
      Optional<Side> old = Optional.ofNullable(before.get(path));
      Optional<Side> now = Optional.ofNullable(after.get(path));
      if (old.map(Side::digest).equals(now.map(Side::digest))) {
        continue;
      }
      Optional<String> realm = FileTree.realm(path);
      Optional<RealmText> oldRealm = realm.flatMap(name -> old.flatMap(Side::text)).map(RealmText::of);
      Optional<RealmText> newRealm = realm.flatMap(name -> now.flatMap(Side::text)).map(RealmText::of);
      files.add(file(path, old, now, oldRealm, newRealm));
      realm.ifPresent(name -> subjects.addAll(subjects(name, oldRealm, newRealm)));
    }
    return new RevisionDiff(List.copyOf(files), List.copyOf(subjects));
  }

  /** The text of a realm's file, read once. */
  private record RealmText(String text, Optional<List<DeclaredValue>> values) {
    static RealmText of(String text) {
      return new RealmText(text, DeclaredValues.read(text));
    }

    String masked() {
      return SecretText.masked(text, values);
    }
  }

  private static FileDiff file(
      String path, Optional<Side> old, Optional<Side> now, Optional<RealmText> oldRealm, Optional<RealmText> newRealm) {
    Change change = change(old.isPresent(), now.isPresent());
    boolean secret = old.filter(Side::isSecret).isPresent() || now.filter(Side::isSecret).isPresent();
    boolean readable =
        !secret && old.filter(side -> side.text().isEmpty()).isEmpty() && now.filter(side -> side.text().isEmpty()).isEmpty();
    Optional<String> text =
        readable
            ? Optional.of(TextDiff.unified(shown(old, oldRealm), shown(now, newRealm)))
            : Optional.empty();
    return new FileDiff(path, change, secret, text);
  }

  private static String shown(Optional<Side> side, Optional<RealmText> realm) {
    return realm.map(RealmText::masked).or(() -> side.flatMap(Side::text)).orElse("");
  }

  private static Change change(boolean before, boolean after) {
    return before && after ? Change.CHANGED : after ? Change.ADDED : Change.REMOVED;
  }

  private static List<SubjectDiff> subjects(String realm, Optional<RealmText> before, Optional<RealmText> after) {
    SortedMap<Subject, Map<String, DeclaredValue>> old = bySubject(before);
    SortedMap<Subject, Map<String, DeclaredValue>> now = bySubject(after);
    TreeSet<Subject> all = new TreeSet<>(old.keySet());
    all.addAll(now.keySet());
    List<SubjectDiff> changes = new ArrayList<>();
    for (Subject subject : all) {
      List<FieldDiff> fields = fields(old.getOrDefault(subject, Map.of()), now.getOrDefault(subject, Map.of()));
      if (!fields.isEmpty()) {
        Change change = change(old.containsKey(subject), now.containsKey(subject));
        changes.add(new SubjectDiff(realm, subject.kind(), subject.name(), change, fields));
      }
    }
    return changes;
  }

  private static SortedMap<Subject, Map<String, DeclaredValue>> bySubject(Optional<RealmText> realm) {
    SortedMap<Subject, Map<String, DeclaredValue>> subjects = new TreeMap<>();
    for (DeclaredValue value : realm.flatMap(RealmText::values).orElse(List.of())) {
      subjects.computeIfAbsent(value.subject(), subject -> new LinkedHashMap<>()).put(value.field(), value);
    }
    return subjects;
  }

  private static List<FieldDiff> fields(Map<String, DeclaredValue> before, Map<String, DeclaredValue> after) {
    TreeSet<String> names = new TreeSet<>(before.keySet());
    names.addAll(after.keySet());
    List<FieldDiff> fields = new ArrayList<>();
    for (String name : names) {
      Optional<DeclaredValue> old = Optional.ofNullable(before.get(name));
      Optional<DeclaredValue> now = Optional.ofNullable(after.get(name));
      if (!old.map(DeclaredValue::text).equals(now.map(DeclaredValue::text))) {
        fields.add(new FieldDiff(name, old.map(RevisionDiff::shown), now.map(RevisionDiff::shown)));
      }
    }
    return List.copyOf(fields);
  }

  private static String shown(DeclaredValue value) {
    return value.isSecret() ? SECRET : value.text();
  }
}
