package dev.gatehouse.gateway.admin;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.admin.PasskeyView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Passkeys of people: alice has one. */
public final class FakePasskeys implements AdminResource.PasskeyAdmin {

  private final Map<String, List<PasskeyView>> all = new ConcurrentHashMap<>();

  FakePasskeys() {
    add("alice", "k1", "Laptop");
  }

  public void add(String person, String id, String label) {
    Instant at = Instant.parse("2026-11-20T10:00:00Z");
    PasskeyView passkey = new PasskeyView(id, label, "00000000-0000-0000-0000-000000000000", true, false, at, Optional.of(at));
    all.computeIfAbsent(person, who -> new ArrayList<>()).add(passkey);
  }

  @Override
  public List<PasskeyView> ofPerson(String realm, String person) {
    return List.copyOf(all.getOrDefault(person, List.of()));
  }

  @Override
  public boolean remove(String realm, String person, Optional<String> id) {
    return all.getOrDefault(person, new ArrayList<>()).removeIf(one -> id.isEmpty() || id.get().equals(one.id()));
  }
}
