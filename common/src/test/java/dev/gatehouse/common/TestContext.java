package dev.gatehouse.common;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/**
 * Contexts with some configurations over the fakes of a test. They are closed at the end of its class: their threads would keep them,
 * and some hundred fill the heap. What a static field has from its initializer stays open, since a class may run once more.
 */
public final class TestContext {

  private static final Deque<AnnotationConfigApplicationContext> OPEN = new ArrayDeque<>();

  private TestContext() {}

  /** @param beans found by their types */
  public static AnnotationConfigApplicationContext of(List<Class<?>> configurations, Object... beans) {
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    for (int i = 0; i < beans.length; i++) {
      context.getBeanFactory().registerSingleton("test" + i, beans[i]);
    }
    configurations.forEach(context::register);
    if (!isOfStaticField()) {
      synchronized (OPEN) {
        OPEN.push(context);
      }
    }
    return context;
  }

  private static boolean isOfStaticField() {
    return StackWalker.getInstance().walk(frames -> frames.anyMatch(frame -> frame.getMethodName().equals("<clinit>")));
  }

  private static void closeAll() {
    synchronized (OPEN) {
      while (!OPEN.isEmpty()) {
        OPEN.pop().close();
      }
    }
  }

  /** Closes the contexts of a class; found by the name of its service. */
  public static final class Closing implements AfterAllCallback {

    @Override
    public void afterAll(ExtensionContext context) {
      // Classes inside another one end before it, and share what it has opened.
      if (context.getRequiredTestClass().getEnclosingClass() == null) {
        closeAll();
      }
    }
  }
}
