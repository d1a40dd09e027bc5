package dev.gatehouse.common;

import dev.gatehouse.common.wiring.IndexedBeanFactory;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.AnnotationConfigUtils;
import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;

/**
 * Contexts with some configurations over the fakes of a test. They are closed at the end of its class: their threads would keep them,
 * and some hundred fill the heap. What a static field has from its initializer stays open, since a class may run once more.
 */
public final class TestContext {

  private static final Deque<AnnotationConfigApplicationContext> OPEN = new ArrayDeque<>();

  /** One for the hundreds of contexts of a JVM, which have the same classes: each would read their files anew. */
  private static final MetadataReaderFactory ANNOTATIONS = new ReadOnce();

  private TestContext() {}

  /** @param beans found by their types */
  public static AnnotationConfigApplicationContext of(List<Class<?>> configurations, Object... beans) {
    // As a node does: Spring's own search asks each definition for each type.
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(new IndexedBeanFactory());
    context
        .getBeanFactory()
        .getBeanDefinition(AnnotationConfigUtils.CONFIGURATION_ANNOTATION_PROCESSOR_BEAN_NAME)
        .getPropertyValues()
        .add("metadataReaderFactory", ANNOTATIONS);
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

  /** Keeps what it has read: Spring empties its own factory that does so after each context. */
  private static final class ReadOnce implements MetadataReaderFactory {

    private final MetadataReaderFactory files = MetadataReaderFactory.create(TestContext.class.getClassLoader());
    private final Map<String, MetadataReader> read = new ConcurrentHashMap<>();

    @Override
    public MetadataReader getMetadataReader(String className) throws IOException {
      MetadataReader known = read.get(className);
      if (known == null) {
        known = files.getMetadataReader(className);
        read.put(className, known);
      }
      return known;
    }

    @Override
    public MetadataReader getMetadataReader(Resource resource) throws IOException {
      return files.getMetadataReader(resource);
    }

    @Override
    public ResourceLoader getResourceLoader() {
      return files.getResourceLoader();
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
