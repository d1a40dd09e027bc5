package dev.gatehouse.gateway.policy;

import dev.gatehouse.common.group.GroupName;
import dev.gatehouse.common.realm.PolicyConfig.Condition;
import dev.gatehouse.common.realm.PolicyConfig.Values;
import dev.gatehouse.common.saml.AttributeName;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Maps a person's attributes to the rules that can hold for the person: each rule is indexed by one of its conditions,
 * and is evaluated only for people who meet that one. Rules without such a condition apply to everyone.
 */
final class RuleIndex {

  /**
   * The index key of a rule.
   *
   * @param trait {@code role}, {@code group}, {@code user}, or {@code @} and an attribute's name
   * @param values of roles and groups {@linkplain GroupName#key what is equal for equal names}
   */
  private record Key(String trait, Set<String> values) {}

  private static final String ROLE = "role";
  private static final String GROUP = "group";
  private static final String USER = "user";
  private static final int[] NOTHING = {};

  private final Map<String, int[]> byRole;
  private final Map<String, int[]> byGroup;
  private final Map<String, int[]> byUser;
  private final Map<String, Map<String, int[]>> byAttribute = new HashMap<>();
  private final int[] unindexed;

  RuleIndex(List<CompiledRule> rules) {
    Map<String, Map<String, int[]>> byTrait = new HashMap<>();
    int[] others = NOTHING;
    for (CompiledRule rule : rules) {
      Optional<Key> narrowest =
          rule.rule().conditions().stream()
              .flatMap(condition -> key(condition).stream())
              .min(Comparator.comparingInt(key -> key.values().size()));
      if (narrowest.isEmpty()) {
        others = with(others, rule.place());
        continue;
      }
      Map<String, int[]> values = byTrait.computeIfAbsent(narrowest.get().trait(), trait -> new HashMap<>());
      for (String value : narrowest.get().values()) {
        values.put(value, with(values.getOrDefault(value, NOTHING), rule.place()));
      }
    }
    this.byRole = byTrait.getOrDefault(ROLE, Map.of());
    this.byGroup = byTrait.getOrDefault(GROUP, Map.of());
    this.byUser = byTrait.getOrDefault(USER, Map.of());
    byTrait.forEach(
        (trait, values) -> {
          if (trait.startsWith("@")) {
            byAttribute.put(trait.substring(1), values);
          }
        });
    this.unindexed = others;
  }

  /** The values of which a person must have one for the condition to hold; empty if they are not plain values. */
  private static Optional<Key> key(Condition condition) {
    return switch (condition) {
      case Condition.AnyRole(Set<String> names) -> Optional.of(new Key(ROLE, GroupName.keys(names)));
      case Condition.AllRoles(Set<String> names) -> Optional.of(new Key(ROLE, Set.of(GroupName.key(names.iterator().next()))));
      case Condition.AnyGroup(Set<String> names) -> Optional.of(new Key(GROUP, GroupName.keys(names)));
      case Condition.AllGroups(Set<String> names) -> Optional.of(new Key(GROUP, Set.of(GroupName.key(names.iterator().next()))));
      case Condition.User(Values values) -> key(USER, values);
      case Condition.Attribute(String name, Values values) -> key("@" + AttributeName.plain(name), values);
      case Condition.Present present -> Optional.empty();
      case Condition.Login login -> Optional.empty();
      case Condition.Client client -> Optional.empty();
      case Condition.Weekly weekly -> Optional.empty();
      case Condition.Dates dates -> Optional.empty();
      case Condition.Methods methods -> Optional.empty();
      case Condition.When when -> Optional.empty();
    };
  }

  private static Optional<Key> key(String trait, Values values) {
    return values.variables().isEmpty() ? Optional.of(new Key(trait, values.fixed())) : Optional.empty();
  }

  /** The positions of the rules that can hold for that person, ascending. */
  int[] places(SubjectAttributes who) {
    int[] found = unindexed;
    for (String role : byRole.isEmpty() ? List.<String>of() : who.roles()) {
      found = joined(found, byRole.get(GroupName.key(role)));
    }
    for (String group : byGroup.isEmpty() ? List.<String>of() : who.groups()) {
      found = joined(found, byGroup.get(GroupName.key(group)));
    }
    if (!byUser.isEmpty()) {
      found = joined(found, byUser.get(who.user()));
    }
    for (Map.Entry<String, Map<String, int[]>> attribute : byAttribute.entrySet()) {
      for (String value : who.attribute(attribute.getKey())) {
        found = joined(found, attribute.getValue().get(value));
      }
    }
    return found;
  }

  private static int[] joined(int[] some, int @Nullable [] more) {
    if (more == null || some == more) {
      return some;
    }
    if (some.length == 0) {
      return more;
    }
    int[] all = Arrays.copyOf(some, some.length + more.length);
    System.arraycopy(more, 0, all, some.length, more.length);
    Arrays.sort(all);
    int distinct = 1;
    for (int i = 1; i < all.length; i++) {
      if (all[i] != all[distinct - 1]) {
        all[distinct++] = all[i];
      }
    }
    return distinct == all.length ? all : Arrays.copyOf(all, distinct);
  }

  private static int[] with(int[] places, int place) {
    int[] longer = Arrays.copyOf(places, places.length + 1);
    longer[places.length] = place;
    return longer;
  }
}
