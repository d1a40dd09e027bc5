package dev.gatehouse.gateway.admin;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.admin.AdminResource.AuthorizationView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Authorizations of OAuth clients in memory, by id. */
public final class FakeAuthorizations implements AdminResource.OAuthAuthorizations {

  public final List<AuthorizationView> all = new ArrayList<>();

  /** Adds an authorization of a person for a client, whose id at the directory is the name with {@code -id} behind it. */
  public void add(String id, String person, String client, String... scopes) {
    all.add(
        new AuthorizationView(
            id, client, person + "-id", person, List.of(scopes), List.of(), true, true, TestTime.START,
            TestTime.START.plus(Duration.ofDays(30))));
  }

  @Override
  public List<AuthorizationView> page(String realm, String after, int limit) {
    return all.stream().filter(one -> one.id().compareTo(after) > 0).limit(limit).toList();
  }

  @Override
  public List<AuthorizationView> ofPerson(String realm, String person) {
    return all.stream().filter(one -> one.name().equals(person) || one.person().equals(person)).toList();
  }

  @Override
  public Optional<AuthorizationView> find(String realm, String authorization) {
    return all.stream().filter(one -> one.id().equals(authorization)).findFirst();
  }

  @Override
  public boolean end(String realm, String authorization) {
    return all.removeIf(one -> one.id().equals(authorization));
  }
}
