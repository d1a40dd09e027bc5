package dev.gatehouse.common.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Scope;

/** The index finds what Spring's own search finds. */
class IndexedBeanFactoryTest {

  interface Store {}

  interface Closing extends AutoCloseable {
    @Override
    default void close() {}
  }

  static class Records implements Store, Closing {}

  static final class Sessions extends Records {}

  static final class Keys implements Store {}

  @Configuration(proxyBeanMethods = false)
  @Import({Sessions.class, Keys.class})
  static class Stores {
    @Bean
    Records records() {
      return new Records();
    }

    @Bean
    @Scope(ConfigurableBeanFactory.SCOPE_PROTOTYPE)
    Sessions anewForEach() {
      return new Sessions();
    }

    @Bean
    Closing declaredAsAnInterface() {
      return new Closing() {};
    }
  }

  /** Does not declare the type of its object. */
  @SuppressWarnings("rawtypes")
  static final class Undeclared implements FactoryBean {
    @Override
    public Object getObject() {
      return new Keys();
    }

    @Override
    public @Nullable Class<?> getObjectType() {
      return null;
    }
  }

  private static final List<Class<?>> ASKED =
      List.of(
          Store.class, Closing.class, AutoCloseable.class, Records.class, Sessions.class, Keys.class, Object.class, Runnable.class);

  @Test
  void findsTheSameNamesInTheSameOrder() {
    assertThat(found(new IndexedBeanFactory(), Stores.class)).isEqualTo(found(new DefaultListableBeanFactory(), Stores.class));
  }

  @Test
  void leavesTheSearchToSpringIfADefinitionDoesNotDeclareItsType() {
    assertThat(found(new IndexedBeanFactory(), Stores.class, Undeclared.class))
        .isEqualTo(found(new DefaultListableBeanFactory(), Stores.class, Undeclared.class));
  }

  @Test
  void leavesTheSearchToSpringIfAnObjectWithoutADefinitionMakesOthers() {
    assertThat(foundBeside(new Undeclared(), new IndexedBeanFactory(), Stores.class))
        .isEqualTo(foundBeside(new Undeclared(), new DefaultListableBeanFactory(), Stores.class));
  }

  private static List<List<String>> found(DefaultListableBeanFactory factory, Class<?>... components) {
    return foundBeside(new Sessions(), factory, components);
  }

  /** @param object a bean without a definition */
  private static List<List<String>> foundBeside(Object object, DefaultListableBeanFactory factory, Class<?>... components) {
    List<List<String>> found = new ArrayList<>();
    try (var context = new AnnotationConfigApplicationContext(factory)) {
      factory.registerSingleton("object", object);
      context.register(components);
      context.registerBean("supplied", Store.class, () -> new Store() {});
      context.refresh();
      ASKED.forEach(type -> found.add(List.of(context.getBeanNamesForType(type))));
      ASKED.forEach(type -> found.add(List.of(context.getBeanNamesForType(type, false, true))));
      factory.registerSingleton("later", new Keys());
      ASKED.forEach(type -> found.add(List.of(context.getBeanNamesForType(type))));
    }
    return found;
  }
}
