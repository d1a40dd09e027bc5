package dev.gatehouse.common.realm.inuse;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.Realm;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** One whole set of realms, indexed by name and by origin. */
record ServedRealms(SortedMap<String, Realm> byName, Map<Origin, Realm> byOrigin) {

  static ServedRealms of(List<Realm> realms) {
    SortedMap<String, Realm> byName = new TreeMap<>();
    Map<Origin, Realm> byOrigin = new HashMap<>();
    for (Realm realm : realms) {
      byName.put(realm.name(), realm);
      realm
          .sp()
          .ifPresent(
              sp -> {
                byOrigin.put(sp.home(), realm);
                sp.otherOrigins().forEach(origin -> byOrigin.put(origin, realm));
              });
    }
    return new ServedRealms(Collections.unmodifiableSortedMap(byName), Map.copyOf(byOrigin));
  }

  SortedMap<String, Realm.Revision> revisions() {
    SortedMap<String, Realm.Revision> revisions = new TreeMap<>();
    byName.forEach((name, realm) -> revisions.put(name, realm.revision()));
    return Collections.unmodifiableSortedMap(revisions);
  }

  /** Returns the names of the realms that differ in the next set, each with the kind of change. */
  SortedMap<String, String> changesTo(ServedRealms next) {
    SortedMap<String, String> changes = new TreeMap<>();
    next.byName.forEach(
        (name, realm) -> {
          Realm old = byName.get(name);
          if (old == null) {
            changes.put(name, "added");
          } else if (!old.revision().equals(realm.revision())) {
            changes.put(name, "was " + old.revision());
          }
        });
    byName.keySet().stream().filter(name -> !next.byName.containsKey(name)).forEach(name -> changes.put(name,
        "removed"));
    return changes;
  }
}
