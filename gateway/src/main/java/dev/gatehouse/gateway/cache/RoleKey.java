package dev.gatehouse.gateway.cache;

import dev.gatehouse.common.group.GroupName;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The roles of a person that count for a route: part of the key of responses that are shared by role. */
public final class RoleKey {

  /** None of the roles that count. */
  public static final RoleKey NONE = new RoleKey(new String[0]);

  private final String[] roles;
  private final int hash;

  private RoleKey(String[] roles) {
    this.roles = roles;
    this.hash = Arrays.hashCode(roles);
  }

  @Override
  public boolean equals(Object other) {
    return this == other || other instanceof RoleKey key && hash == key.hash && Arrays.equals(roles, key.roles);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return Arrays.toString(roles);
  }

  /** Creates keys from people's roles, which are equal where rules find them equal; most people have at most one role that counts. */
  static final class Maker {
    private final Map<String, RoleKey> single = new HashMap<>();

    /** @param counting the roles that count */
    Maker(Collection<String> counting) {
      GroupName.keys(counting).forEach(role -> single.put(role, new RoleKey(new String[] {role})));
    }

    RoleKey of(List<String> roles) {
      if (single.isEmpty()) {
        return NONE;
      }
      RoleKey found = NONE;
      for (int i = 0; i < roles.size(); i++) {
        RoleKey next = single.get(GroupName.key(roles.get(i)));
        if (next != null && found != NONE && next != found) {
          return several(roles);
        }
        found = next == null ? found : next;
      }
      return found;
    }

    private RoleKey several(List<String> roles) {
      TreeSet<String> counting = new TreeSet<>();
      roles.stream().map(GroupName::key).filter(single::containsKey).forEach(counting::add);
      return new RoleKey(counting.toArray(String[]::new));
    }
  }
}
