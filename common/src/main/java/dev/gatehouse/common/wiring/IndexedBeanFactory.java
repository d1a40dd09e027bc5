package dev.gatehouse.common.wiring;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/**
 * A bean factory that finds beans by an index of the types that their definitions declare, and of those of objects that are beans
 * without a definition. Spring's own search asks every definition for each type that a constructor needs: several hundred thousand calls at
 * a start, in code that is not compiled yet.
 *
 * <p>Spring searches until all definitions are registered, for types that no bean declares, and for every type if a definition does not
 * declare its own.
 */
public final class IndexedBeanFactory extends DefaultListableBeanFactory {

  /** The names by type, supertypes included; empty if Spring must search. Absent until all definitions are registered. */
  private volatile @Nullable Map<Class<?>, List<String>> index;

  /** The names in the index whose beans are no singletons. */
  private final Set<String> notSingle = ConcurrentHashMap.newKeySet();

  @Override
  public String[] getBeanNamesForType(@Nullable Class<?> type, boolean includeNonSingletons, boolean allowEagerInit) {
    if (type == null || !isConfigurationFrozen()) {
      return super.getBeanNamesForType(type, includeNonSingletons, allowEagerInit);
    }
    List<String> names = index().getOrDefault(type, List.of());
    if (!includeNonSingletons) {
      names = names.stream().filter(name -> !notSingle.contains(name)).toList();
    }
    return names.isEmpty()
        ? super.getBeanNamesForType(type, includeNonSingletons, allowEagerInit)
        : names.toArray(String[]::new);
  }

  @Override
  public void registerSingleton(String beanName, Object singletonObject) {
    super.registerSingleton(beanName, singletonObject);
    Map<Class<?>, List<String>> known = index;
    if (known == null || known.isEmpty() || containsBeanDefinition(beanName)) {
      return;
    }
    if (singletonObject instanceof FactoryBean) {
      index = Map.of();
    } else {
      Map<Class<?>, List<String>> more = new HashMap<>();
      known.forEach((type, names) -> more.put(type, new ArrayList<>(names)));
      add(more, beanName, singletonObject.getClass());
      index = more;
    }
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
      if (declared == null) {
        return Optional.empty();
      }
      if (!isSingleton(name)) {
        notSingle.add(name);
      }
      add(byType, name, declared);
    }
    // A context registers its environment without a definition, and a test its fakes. Spring's search finds these last.
    for (String name : getSingletonNames()) {
      if (!containsBeanDefinition(name)) {
        Object object = getSingleton(name);
        if (object == null || object instanceof FactoryBean) {
          return Optional.empty();
        }
        add(byType, name, object.getClass());
      }
    }
    return Optional.of(byType);
  }

  private static void add(Map<Class<?>, List<String>> byType, String name, Class<?> type) {
    Set<Class<?>> types = new LinkedHashSet<>();
    addWithSupertypes(types, type);
    types.forEach(each -> byType.computeIfAbsent(each, t -> new ArrayList<>()).add(name));
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
