package dev.gatehouse.gateway.cache;

import dev.gatehouse.gateway.message.Fields;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** All stored responses of one address, by the roles that share them, and for each by Vary. Immutable. */
final class CachedPage {

  /** The number of variants; the oldest is dropped if there would be more. */
  private static final int MAX_VARIANTS = 32;

  private static final int MAX_ROLES = 1024;
  private static final StoredResponse[] NONE = {};

  private final Map<RoleKey, StoredResponse[]> byRoles;
  private final int weight;

  private CachedPage(Map<RoleKey, StoredResponse[]> byRoles, CacheKey key) {
    this.byRoles = byRoles;
    long sum = 128 + 2L * key.target().length();
    for (StoredResponse[] variants : byRoles.values()) {
      for (StoredResponse variant : variants) {
        sum += variant.weight();
      }
    }
    this.weight = (int) Math.min(Integer.MAX_VALUE, sum);
  }

  static CachedPage of(CacheKey key, StoredResponse only) {
    return new CachedPage(Map.of(only.roles(), new StoredResponse[] {only}), key);
  }

  /** The newest variant that answers such a request. */
  @Nullable StoredResponse find(CacheScope scope, RoleKey roles, Fields request) {
    StoredResponse[] variants = byRoles.get(roles);
    if (variants == null) {
      return null;
    }
    for (StoredResponse variant : variants) {
      if (variant.isFor(scope, roles, request)) {
        return variant;
      }
    }
    return null;
  }

  /** A copy with that response in front, and without the variant that it replaces. */
  CachedPage with(CacheKey key, StoredResponse added) {
    Map<RoleKey, StoredResponse[]> next = new HashMap<>(byRoles);
    StoredResponse[] known = next.getOrDefault(added.roles(), NONE);
    if (known.length == 0 && next.size() >= MAX_ROLES) {
      next.remove(next.keySet().iterator().next());
    }
    List<StoredResponse> variants = new ArrayList<>();
    variants.add(added);
    for (StoredResponse variant : known) {
      if (!added.replaces(variant) && variant.scope() == added.scope() && variants.size() < MAX_VARIANTS) {
        variants.add(variant);
      }
    }
    next.put(added.roles(), variants.toArray(NONE));
    return new CachedPage(next, key);
  }

  /** A copy without the matching responses; null if none is left. */
  @Nullable CachedPage without(CacheKey key, Predicate<StoredResponse> dropped) {
    Map<RoleKey, StoredResponse[]> next = new HashMap<>();
    byRoles.forEach(
        (roles, variants) -> {
          StoredResponse[] left = Arrays.stream(variants).filter(dropped.negate()).toArray(StoredResponse[]::new);
          if (left.length > 0) {
            next.put(roles, left);
          }
        });
    return next.isEmpty() ? null : new CachedPage(next, key);
  }

  boolean holds(StoredResponse response) {
    return Arrays.asList(byRoles.getOrDefault(response.roles(), NONE)).contains(response);
  }

  boolean has(CachedBody body) {
    return byRoles.values().stream().flatMap(Arrays::stream).anyMatch(variant -> variant.has(body));
  }

  /** A copy with its weight computed anew. */
  CachedPage reweighed(CacheKey key) {
    return new CachedPage(byRoles, key);
  }

  int count() {
    return byRoles.values().stream().mapToInt(variants -> variants.length).sum();
  }

  int count(Predicate<StoredResponse> which) {
    return (int) byRoles.values().stream().flatMap(Arrays::stream).filter(which).count();
  }

  int weight() {
    return weight;
  }
}
