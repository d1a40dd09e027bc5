package dev.gatehouse.gateway.admin.revision;

import dev.gatehouse.common.realm.yaml.YamlKeys;
import dev.gatehouse.common.revision.ChangeScope;
import dev.gatehouse.common.realm.yaml.FileTree;
import dev.gatehouse.common.revision.SecretText;
import dev.gatehouse.common.revision.StoredRealms;
import dev.gatehouse.common.revision.StoredRealms.Change;
import dev.gatehouse.common.revision.StoredRealms.ProposedChange;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import dev.gatehouse.gateway.admin.web.Conflict;
import dev.gatehouse.gateway.admin.web.NotFound;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads realms without their lists, whose entries are changed one by one, and changes them. A list that is not given stays as it is. */
final class RealmSettings {

  /** A change of one realm. */
  record SettingsChange(String realm, long expected, String administrator, String reason, ChangeScope scope) {}

  private static final Set<String> LISTS = Arrays.stream(EntryKind.values()).map(EntryKind::key).collect(Collectors.toUnmodifiableSet());
  private static final Pattern REALM_FILE = Pattern.compile("realms/[^/]+\\.yaml");

  private final ConfigurationControl control;
  private final RevisionChanges changes;

  RealmSettings(ConfigurationControl control, RevisionChanges changes) {
    this.control = control;
    this.changes = changes;
  }

  /** Returns the keys of a realm in use without its lists and secrets. */
  Map<String, Object> read(String realm) {
    return edited(() -> settings(new YamlKeys(SecretText.masked(text(control.files(), realm).orElseThrow(() -> unknown(realm))))));
  }

  /** Adds a realm, or puts other settings in place of its own. */
  Change put(SettingsChange change, Map<String, @Nullable Object> wanted) {
    return apply(
        change,
        present -> {
          Map<String, Object> kept = RealmEntries.withoutNulls(wanted);
          Set<String> removed = new HashSet<>(settings(present).keySet());
          removed.removeAll(kept.keySet());
          return present.changed(kept, removed);
        },
        text(changes.stored().inUse().files(), change.realm()).orElse(""));
  }

  /** Changes settings by a merge patch (RFC 7396). */
  Change patch(SettingsChange change, Map<String, @Nullable Object> patch) {
    String text = text(changes.stored().inUse().files(), change.realm()).orElseThrow(() -> unknown(change.realm()));
    return apply(
        change,
        present -> {
          Map<String, Object> merged = RealmEntries.merged(settings(present), patch);
          Set<String> removed = new HashSet<>(settings(present).keySet());
          removed.removeAll(merged.keySet());
          return present.changed(merged, removed);
        },
        text);
  }

  /** Removes a realm. */
  Change remove(SettingsChange change) {
    StoredRealms stored = changes.stored();
    FileTree files = stored.inUse().files();
    if (text(files, change.realm()).isEmpty()) {
      throw unknown(change.realm());
    }
    if (isLoginRealm(change.realm())) {
      throw new Conflict(
          "Administrators log in at this realm: name another in admin.realm of gatehouse.yaml first, and restart the node. At a node"
              + " without admin, take the roles of its people first.");
    }
    Map<String, byte[]> rest = new HashMap<>();
    files.files().forEach(
        (path, file) -> {
          if (REALM_FILE.matcher(path).matches() && !path.equals(RealmFiles.path(change.realm()))) {
            rest.put(path, file.content());
          }
        });
    if (stored.number() != change.expected()) {
      return new Change.Conflict(stored.number());
    }
    return changes.apply(
        new ProposedChange(change.expected(), rest, true, Map.of(), change.administrator(), change.reason(), change.scope()));
  }

  /** At a node that names another realm, people of this one do not log in any more, and what is left of their roles is no reason. */
  private boolean isLoginRealm(String realm) {
    return control.loginRealm().map(realm::equals).orElseGet(() -> control.isOfAdministrators(realm));
  }

  private Change apply(SettingsChange change, Function<YamlKeys, String> edit, String text) {
    StoredRealms stored = changes.stored();
    if (stored.number() != change.expected()) {
      return new Change.Conflict(stored.number());
    }
    byte[] changed = edited(() -> edit.apply(new YamlKeys(text))).getBytes(StandardCharsets.UTF_8);
    Map<String, byte[]> files = Map.of(RealmFiles.path(change.realm()), changed);
    return changes.apply(
        new ProposedChange(change.expected(), files, false, Map.of(), change.administrator(), change.reason(), change.scope()));
  }

  private static Map<String, Object> settings(YamlKeys keys) {
    Map<String, Object> settings = new LinkedHashMap<>(keys.value());
    settings.keySet().removeAll(LISTS);
    return settings;
  }

  private static <T> T edited(Supplier<T> edit) {
    try {
      return edit.get();
    } catch (IllegalArgumentException e) {
      throw new Conflict(e.getMessage() + " Change the realm's file as a whole.");
    }
  }

  private static Optional<String> text(FileTree files, String realm) {
    return Optional.ofNullable(files.files().get(RealmFiles.path(realm))).map(file -> new String(file.content(), StandardCharsets.UTF_8));
  }

  private static NotFound unknown(String realm) {
    return NotFound.realm(realm);
  }
}
