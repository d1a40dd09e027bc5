package dev.gatehouse.common;

import java.util.List;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** Contexts with some configurations over the fakes of a test. */
public final class TestContext {

  private TestContext() {}

  /** @param beans found by their types */
  public static AnnotationConfigApplicationContext of(List<Class<?>> configurations, Object... beans) {
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    for (int i = 0; i < beans.length; i++) {
      context.getBeanFactory().registerSingleton("test" + i, beans[i]);
    }
    configurations.forEach(context::register);
    return context;
  }
}
