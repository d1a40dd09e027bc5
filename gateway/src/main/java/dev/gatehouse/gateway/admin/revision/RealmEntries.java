package dev.gatehouse.gateway.admin.revision;

import dev.gatehouse.common.realm.yaml.FileTree;
import dev.gatehouse.common.realm.yaml.YamlList;
import dev.gatehouse.common.revision.ChangeScope;
import dev.gatehouse.common.revision.SecretText;
import dev.gatehouse.common.revision.StoredRealms.Change;
import dev.gatehouse.common.revision.StoredRealms.ProposedChange;
import dev.gatehouse.common.revision.StoredRealms;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.Conflict;
import dev.gatehouse.gateway.admin.web.NotFound;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads and changes single entries of the lists of a realm in use. */
final class RealmEntries {

  /** The change of one entry. */
  record EntryChange(
      String realm, EntryKind kind, String id, long expected, String administrator, String reason, ChangeScope scope) {}

  /** A list as it was read of a file, so that pages of a long one do not read it again. */
  private record Read(FileTree.File file, NavigableMap<String, Map<String, Object>> entries) {}

  /** The size of a file, in bytes, above which its lists are read before somebody asks for them. */
  private static final int LONG_FILE = 100_000;

  private static final String REALMS = "realms/";
  private static final String YAML = ".yaml";
  private static final Logger LOG = LoggerFactory.getLogger(RealmEntries.class);

  private final ConfigurationControl control;
  private final RevisionChanges changes;
  private final Map<List<Object>, Read> lists = new ConcurrentHashMap<>();

  RealmEntries(ConfigurationControl control, RevisionChanges changes) {
    this.control = control;
    this.changes = changes;
    control.onFiles(this::readLongFiles);
  }

  /** Reads long files in the background, so that the first page of a list after a start or a change does not wait for it. */
  private void readLongFiles(FileTree files) {
    List<String> realms =
        files.files().entrySet().stream()
            .filter(file -> file.getValue().content().length > LONG_FILE && isRealm(file.getKey()))
            .map(file -> file.getKey().substring(REALMS.length(), file.getKey().length() - YAML.length()))
            .toList();
    if (!realms.isEmpty()) {
      // Reading takes seconds of processor time, in which it would hold the carrier of virtual threads.
      Thread.ofPlatform().name("realm-entries").daemon().start(() -> realms.forEach(realm -> readAll(files, realm)));
    }
  }

  private void readAll(FileTree files, String realm) {
    try {
      for (EntryKind kind : EntryKind.values()) {
        read(file(files, realm), realm, kind);
      }
    } catch (RuntimeException e) {
      LOG.debug("The lists of realm {} are read when somebody asks for them", realm, e);
    }
  }

  /** Returns the entries of a list by their ids, sorted, without secrets; one without an id has its place as id. */
  NavigableMap<String, Map<String, Object>> all(String realm, EntryKind kind) {
    return read(file(control.files(), realm), realm, kind);
  }

  /** Reads a list once, whoever asks first. */
  private NavigableMap<String, Map<String, Object>> read(FileTree.File file, String realm, EntryKind kind) {
    return lists
        .compute(List.of(realm, kind), (key, known) -> known != null && known.file() == file ? known : new Read(file, read(file, kind)))
        .entries();
  }

  private static NavigableMap<String, Map<String, Object>> read(FileTree.File file, EntryKind kind) {
    NavigableMap<String, Map<String, Object>> all = new TreeMap<>();
    List<Map<String, Object>> entries = list(SecretText.masked(text(file)), kind).entries();
    for (int i = 0; i < entries.size(); i++) {
      all.put(kind.id(entries.get(i)).orElse("[" + i + "]"), entries.get(i));
    }
    return Collections.unmodifiableNavigableMap(all);
  }

  /** Returns an entry without secrets. */
  Map<String, Object> one(String realm, EntryKind kind, String id) {
    return Optional.ofNullable(all(realm, kind).get(id)).orElseThrow(() -> unknown(kind));
  }

  /** Returns an entry as the file has it, with its secrets. */
  Optional<Map<String, Object>> find(String realm, EntryKind kind, String id) {
    return list(text(file(control.files(), realm)), kind).entries().stream().filter(entry -> kind.id(entry).equals(Optional.of(id))).findFirst();
  }

  /**
   * Returns the realm's file, by its path, with one more entry.
   *
   * @throws Conflict if there is an entry with that id
   */
  Map<String, byte[]> added(String realm, EntryKind kind, Map<String, Object> entry) {
    YamlList list = list(text(file(changes.stored().inUse().files(), realm)), kind);
    Optional<String> id = kind.id(entry);
    if (id.isPresent() && list.entries().stream().anyMatch(present -> kind.id(present).equals(id))) {
      throw new Conflict("There is an entry " + id.get() + " in " + kind.key() + " already: choose another " + kind.identity() + ".");
    }
    return Map.of(path(realm), edited(list, present -> present.added(entry)).getBytes(StandardCharsets.UTF_8));
  }

  /** Adds an entry, or puts it in the place of the one with its id. */
  Change put(EntryChange change, Map<String, @Nullable Object> entry) {
    return put(change, entry, Map.of());
  }

  /** As {@link #put(EntryChange, Map)}, together with files that the entry names. */
  Change put(EntryChange change, Map<String, @Nullable Object> entry, Map<String, byte[]> files) {
    Map<String, Object> kept = withoutNulls(entry);
    if (!change.kind().id(kept).equals(Optional.of(change.id()))) {
      throw new BadRequest("`id` is " + change.kind().identity() + " of the entry, which identifies it.");
    }
    return apply(change, list -> withEntry(list, change, kept), files);
  }

  /** Returns the realm's file in use with the entry, by its path. */
  Map<String, byte[]> proposed(EntryChange change, Map<String, @Nullable Object> entry) {
    String text = text(file(control.files(), change.realm()));
    String edited = edited(list(text, change.kind()), list -> withEntry(list, change, withoutNulls(entry)));
    return Map.of(path(change.realm()), edited.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the realm's file in use with all those entries of a list, each added or in the place of the one with its id. */
  Map<String, byte[]> proposed(String realm, EntryKind kind, List<Map<String, Object>> wanted) {
    YamlList list = list(text(file(control.files(), realm)), kind);
    Map<Optional<String>, Integer> places = new HashMap<>();
    List<Map<String, Object>> present = list.entries();
    for (int i = 0; i < present.size(); i++) {
      places.putIfAbsent(kind.id(present.get(i)), i);
    }
    TreeMap<Integer, Map<String, Object>> replaced = new TreeMap<>();
    List<Map<String, Object>> added = new ArrayList<>();
    for (Map<String, Object> entry : wanted) {
      Integer place = places.get(kind.id(entry));
      if (place == null) {
        added.add(entry);
      } else if (!present.get(place).equals(entry)) {
        replaced.put(place, entry);
      }
    }
    return Map.of(path(realm), edited(list, all -> all.changed(replaced, added)).getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the entries of a list by their ids, as the file has them, with their secrets. */
  Map<String, Map<String, Object>> allInFile(String realm, EntryKind kind) {
    Map<String, Map<String, Object>> all = new HashMap<>();
    list(text(file(control.files(), realm)), kind).entries().forEach(entry -> kind.id(entry).ifPresent(id -> all.putIfAbsent(id, entry)));
    return all;
  }

  private static String withEntry(YamlList list, EntryChange change, Map<String, Object> entry) {
    return place(list, change).map(at -> list.replaced(at, entry)).orElseGet(() -> list.added(entry));
  }

  /** Changes an entry by a merge patch (RFC 7396). */
  Change patch(EntryChange change, Map<String, @Nullable Object> patch) {
    return apply(
        change,
        list -> {
          int at = place(list, change).orElseThrow(() -> unknown(change.kind()));
          Map<String, Object> merged = merged(list.entries().get(at), patch);
          if (!change.kind().id(merged).equals(Optional.of(change.id()))) {
            throw new BadRequest("A patch does not change " + change.kind().identity() + ", which identifies the entry.");
          }
          return list.replaced(at, merged);
        });
  }

  /** Removes an entry. */
  Change remove(EntryChange change) {
    return apply(change, list -> list.removed(place(list, change).orElseThrow(() -> unknown(change.kind()))));
  }

  private Change apply(EntryChange change, Function<YamlList, String> edit) {
    return apply(change, edit, Map.of());
  }

  private Change apply(EntryChange change, Function<YamlList, String> edit, Map<String, byte[]> named) {
    StoredRealms stored = changes.stored();
    String text = text(file(stored.inUse().files(), change.realm()));
    if (stored.number() != change.expected()) {
      return new Change.Conflict(stored.number());
    }
    byte[] changed = edited(list(text, change.kind()), edit).getBytes(StandardCharsets.UTF_8);
    Map<String, byte[]> files = new HashMap<>(named);
    files.put(path(change.realm()), changed);
    return changes.apply(
        new ProposedChange(change.expected(), files, false, Map.of(), change.administrator(), change.reason(), change.scope()));
  }

  private static String edited(YamlList list, Function<YamlList, String> edit) {
    try {
      return edit.apply(list);
    } catch (IllegalArgumentException e) {
      throw new Conflict(e.getMessage() + " Change the realm's file as a whole.");
    }
  }

  private static YamlList list(String text, EntryKind kind) {
    try {
      return new YamlList(text, kind.key());
    } catch (IllegalArgumentException e) {
      throw new Conflict(e.getMessage() + " Change the realm's file as a whole.");
    }
  }

  private static Optional<Integer> place(YamlList list, EntryChange change) {
    List<Map<String, Object>> entries = list.entries();
    for (int i = 0; i < entries.size(); i++) {
      if (change.kind().id(entries.get(i)).equals(Optional.of(change.id()))) {
        return Optional.of(i);
      }
    }
    return Optional.empty();
  }

  private static FileTree.File file(FileTree files, String realm) {
    return Optional.ofNullable(files.files().get(path(realm))).orElseThrow(() -> new NotFound("There is no realm of that name."));
  }

  private static String text(FileTree.File file) {
    return new String(file.content(), StandardCharsets.UTF_8);
  }

  private static String path(String realm) {
    return REALMS + realm + YAML;
  }

  private static boolean isRealm(String path) {
    return path.startsWith(REALMS) && path.endsWith(YAML) && path.indexOf('/', REALMS.length()) < 0;
  }

  private static NotFound unknown(EntryKind kind) {
    return new NotFound("There is no entry with that id in " + kind.key() + ".");
  }

  /** RFC 7396, section 2: null removes, a mapping is merged, everything else replaces. */
  static Map<String, Object> merged(Map<String, Object> target, Map<?, ? extends @Nullable Object> patch) {
    Map<String, Object> merged = new LinkedHashMap<>(target);
    patch.forEach(
        (key, value) -> {
          String name = String.valueOf(key);
          if (value == null) {
            merged.remove(name);
          } else if (value instanceof Map<?, ?> below) {
            Map<String, Object> old = new LinkedHashMap<>();
            if (merged.get(name) instanceof Map<?, ?> present) {
              present.forEach((k, v) -> old.put(String.valueOf(k), v));
            }
            merged.put(name, merged(old, below));
          } else {
            merged.put(name, plain(value));
          }
        });
    return merged;
  }

  /** Returns an entry's text in a file that has no other. */
  static String text(EntryKind kind, Map<String, Object> entry) {
    return edited(list("", kind), list -> list.added(entry));
  }

  static Map<String, Object> withoutNulls(Map<?, ? extends @Nullable Object> entry) {
    return merged(Map.of(), entry);
  }

  /** Numbers and truth values as the reader of YAML has them; any other scalar is a text. */
  private static Object plain(Object value) {
    return switch (value) {
      case List<?> list -> {
        List<Object> plain = new ArrayList<>();
        list.stream().filter(item -> item != null).forEach(item -> plain.add(item instanceof Map<?, ?> map ? withoutNulls(map) : plain(item)));
        yield plain;
      }
      case Integer number -> number.longValue();
      case Long number -> number;
      case Boolean bool -> bool;
      default -> String.valueOf(value);
    };
  }
}
