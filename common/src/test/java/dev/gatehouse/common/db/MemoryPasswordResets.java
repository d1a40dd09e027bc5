package dev.gatehouse.common.db;

import dev.gatehouse.common.directory.PersonId;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Links for new passwords in a map, for tests. */
public final class MemoryPasswordResets implements PasswordResets {

  private record Owner(String realm, PersonId person) {}

  private final Map<Owner, PasswordReset> all = new HashMap<>();

  @Override
  public synchronized void put(String realm, PasswordReset reset) {
    all.put(new Owner(realm, reset.person()), reset);
  }

  @Override
  public synchronized Optional<PasswordReset> find(String realm, String digest) {
    return all.entrySet().stream()
        .filter(entry -> entry.getKey().realm().equals(realm) && entry.getValue().digest().equals(digest))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  @Override
  public synchronized Optional<PasswordReset> ofPerson(String realm, PersonId person) {
    return Optional.ofNullable(all.get(new Owner(realm, person)));
  }

  @Override
  public synchronized boolean take(String realm, String digest) {
    return all.entrySet().removeIf(entry -> entry.getKey().realm().equals(realm) && entry.getValue().digest().equals(digest));
  }

  @Override
  public synchronized boolean remove(String realm, PersonId person) {
    return all.remove(new Owner(realm, person)) != null;
  }

  @Override
  public synchronized void removeExpired(Instant time) {
    all.values().removeIf(reset -> reset.expiresAt().isBefore(time));
  }
}
