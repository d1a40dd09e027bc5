package dev.gatehouse.gateway;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/**
 * A bean factory that finds beans by an index of the types that their definitions declare. Spring's own search asks every
 * definition for each type that a constructor needs: several hundred thousand calls at a start, in code that is not
 * compiled yet.
 *
 * <p>Spring searches until all definitions are registered, for types that no definition declares, and for every type if a
 * definition does not declare its own.
 */
public final class IndexedBeanFactory extends DefaultListableBeanFactory {

  /** The names by type, supertypes included; empty if Spring must search. Absent until all definitions are registered. */
  private volatile @Nullable Map<Class<?>, List<String>> index;

  @Override
  public String[] getBeanNamesForType(@Nullable Class<?> type, boolean includeNonSingletons, boolean allowEagerInit) {
    if (type == null || !isConfigurationFrozen()) {
      return super.getBeanNamesForType(type, includeNonSingletons, allowEagerInit);
    }
    List<String> names = index().getOrDefault(type, List.of());
    return names.isEmpty()
        ? super.getBeanNamesForType(type, includeNonSingletons, allowEagerInit)
        : names.toArray(String[]::new);
  }

  private Map<Class<?>, List<String>> index() {
    Map<Class<?>, List<String>> known = index;
    if (known == null) {
      known = declared().orElse(Map.of());
      index = known;
    }
    return known;
  }

  private Optional<Map<Class<?>, List<String>>> declared() {
    Map<Class<?>, List<String>> byType = new HashMap<>();
    for (String name : getBeanDefinitionNames()) {
      Class<?> declared = getType(name, false);
      if (declared == null || !isSingleton(name)) {
        return Optional.empty();
      }
      Set<Class<?>> types = new LinkedHashSet<>();
      addWithSupertypes(types, declared);
      types.forEach(type -> byType.computeIfAbsent(type, t -> new ArrayList<>()).add(name));
    }
    // The context registers some objects without a definition, such as its environment.
    for (String name : getSingletonNames()) {
      if (!containsBeanDefinition(name)) {
        byType.keySet().removeIf(type -> type.isInstance(getSingleton(name)));
      }
    }
    return Optional.of(byType);
  }

  private static void addWithSupertypes(Set<Class<?>> types, Class<?> type) {
    types.add(type);
    for (Class<?> implemented : type.getInterfaces()) {
      addWithSupertypes(types, implemented);
    }
    if (type.getSuperclass() != null) {
      addWithSupertypes(types, type.getSuperclass());
    }
  }
}
