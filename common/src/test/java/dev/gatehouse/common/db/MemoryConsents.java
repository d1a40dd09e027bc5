package dev.gatehouse.common.db;

import dev.gatehouse.common.directory.PersonId;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;

/** Consents in a map, for tests. */
public final class MemoryConsents implements Consents {

  private final Map<String, Consent> all = new ConcurrentSkipListMap<>();
  private final InstantSource time;

  public MemoryConsents(InstantSource time) {
    this.time = time;
  }

  @Override
  public Optional<Consent> find(String realm, String partner, PersonId person) {
    return Optional.ofNullable(all.get(key(realm, person) + partner));
  }

  @Override
  public List<Consent> ofPerson(String realm, PersonId person) {
    return all.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(key(realm, person)))
        .map(Map.Entry::getValue)
        .toList();
  }

  @Override
  public void give(String realm, String partner, PersonId person, Set<String> attributes) {
    all.merge(
        key(realm, person) + partner,
        new Consent(partner, attributes, time.instant()),
        (before, now) -> {
          Set<String> both = new HashSet<>(before.attributes());
          both.addAll(now.attributes());
          return new Consent(partner, both, now.since());
        });
  }

  @Override
  public boolean revoke(String realm, String partner, PersonId person) {
    return all.remove(key(realm, person) + partner) != null;
  }

  private static String key(String realm, PersonId person) {
    return realm + "\n" + person.value() + "\n";
  }
}
