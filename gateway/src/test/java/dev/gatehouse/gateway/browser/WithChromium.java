package dev.gatehouse.gateway.browser;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives test classes a {@link Chromium}: one for all classes that a thread runs, because Playwright belongs to one thread; Failsafe runs all
 * of a JVM in one. At the end of a class its profiles are closed. Without Chromium its tests are skipped by name; under {@code CI=true}
 * they fail.
 */
public final class WithChromium implements ExecutionCondition, ParameterResolver {

  private static final Namespace BROWSERS = Namespace.create(WithChromium.class);

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext test) {
    return Chromium.isInstalled() || "true".equals(System.getenv("CI"))
        ? ConditionEvaluationResult.enabled("Chromium is here, or must be")
        : ConditionEvaluationResult.disabled("Chromium is not installed (apt-get install chromium)");
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    return parameter.getParameter().getType() == Chromium.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
    Store session = test.getStore(StoreScope.LAUNCHER_SESSION, BROWSERS);
    Chromium chromium = session.computeIfAbsent(Thread.currentThread(), _ -> Chromium.start(), Chromium.class);
    if (!chromium.isAlive()) {
      // Whatever ended it, the next class does not suffer from it.
      chromium = Chromium.start();
      session.put(Thread.currentThread(), chromium);
    }
    return test.getStore(BROWSERS).computeIfAbsent(chromium, OfClass::new, OfClass.class).chromium();
  }

  /** What a class has of it. */
  private record OfClass(Chromium chromium) implements AutoCloseable {
    @Override
    public void close() {
      chromium.closeProfiles();
    }
  }
}
