package dev.gatehouse.gateway.admin;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.admin.AdminResource.AppSecretView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Stored passwords for apps in memory, by the person's id. */
public final class FakeAppSecrets implements AdminResource.StoredSecrets {

  public final Map<String, List<AppSecretView>> all = new HashMap<>();

  public void add(String person, String app, String name) {
    all.computeIfAbsent(person, id -> new ArrayList<>()).add(new AppSecretView(app, name, TestTime.START));
  }

  @Override
  public List<AppSecretView> ofPerson(String realm, String person) {
    return List.copyOf(all.getOrDefault(person, List.of()));
  }

  @Override
  public boolean remove(String realm, String person, String app, String administrator) {
    return all.getOrDefault(person, new ArrayList<>()).removeIf(one -> one.app().equals(app));
  }
}
