package dev.gatehouse.gateway.admin.revision;

import dev.gatehouse.gateway.admin.web.NotFound;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The lists of a realm whose entries are shown and changed one by one. */
enum EntryKind {
  PARTNERS("entityId"),
  CLIENTS("clientId"),
  PROVIDERS("issuer"),
  POLICIES("name"),
  ROUTES("name", "path");

  private final List<String> identities;

  /** @param identities the keys that identify an entry: the first that it has */
  EntryKind(String... identities) {
    this.identities = List.of(identities);
  }

  /** Returns the key of the list, which is also its name in paths. */
  String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns what identifies an entry; empty if it has no such key. */
  Optional<String> id(Map<String, Object> entry) {
    return identities.stream().filter(entry::containsKey).map(key -> String.valueOf(entry.get(key))).findFirst();
  }

  /** Returns the keys that identify an entry, for messages. */
  String identity() {
    return String.join(" or ", identities);
  }

  /** Returns the list of that name. */
  static EntryKind of(String key) {
    return Arrays.stream(values())
        .filter(kind -> kind.key().equals(key))
        .findFirst()
        .orElseThrow(
            () -> new NotFound("There is no such list; lists are " + Arrays.stream(values()).map(EntryKind::key).collect(Collectors.joining(", ")) + "."));
  }
}
