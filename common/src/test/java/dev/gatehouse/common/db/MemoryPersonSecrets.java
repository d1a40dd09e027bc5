package dev.gatehouse.common.db;

import dev.gatehouse.common.directory.PersonId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/** Secrets in a map, for tests. */
public final class MemoryPersonSecrets implements PersonSecrets {

  private final Map<String, SealedSecret> all = new ConcurrentSkipListMap<>();

  @Override
  public List<SealedSecret> ofPerson(String realm, PersonId person) {
    return all.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(key(realm, person)))
        .map(Map.Entry::getValue)
        .toList();
  }

  @Override
  public void put(String realm, PersonId person, SealedSecret secret) {
    all.put(key(realm, person) + secret.app() + "\n" + secret.name(), secret);
  }

  @Override
  public boolean remove(String realm, PersonId person, String app) {
    return all.keySet().removeIf(key -> key.startsWith(key(realm, person) + app + "\n"));
  }

  private static String key(String realm, PersonId person) {
    return realm + "\n" + person.value() + "\n";
  }
}
