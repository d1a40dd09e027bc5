package dev.gatehouse.gateway.journey;

import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives journeys the {@link World}, one for all, and a {@link Chromium}, one for each class, because Playwright belongs to
 * one thread. Without Chromium they are skipped by name; under {@code CI=true} they fail.
 */
final class Journey implements ExecutionCondition, ParameterResolver {

  private static final Namespace NAMESPACE = Namespace.create(Journey.class);

  /** One try for all: what did not start would not start for the next test either, and would take as long again. */
  private record Begun(Optional<World> begun, Optional<RuntimeException> failure) implements AutoCloseable {

    static Begun now() {
      try {
        return new Begun(Optional.of(new World()), Optional.empty());
      } catch (RuntimeException e) {
        return new Begun(Optional.empty(), Optional.of(e));
      }
    }

    World world() {
      failure.ifPresent(
          e -> {
            throw e;
          });
      return begun.orElseThrow();
    }

    @Override
    public void close() {
      begun.ifPresent(World::close);
    }
  }

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext test) {
    return Chromium.isInstalled() || "true".equals(System.getenv("CI"))
        ? ConditionEvaluationResult.enabled("Chromium is here, or must be")
        : ConditionEvaluationResult.disabled("Chromium is not installed (apt-get install chromium)");
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    Class<?> type = parameter.getParameter().getType();
    return type == World.class || type == Chromium.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
    return parameter.getParameter().getType() == World.class
        ? test.getRoot().getStore(NAMESPACE).computeIfAbsent(Begun.class, _ -> Begun.now(), Begun.class).world()
        : test.getStore(NAMESPACE).computeIfAbsent(Chromium.class, _ -> Chromium.start(), Chromium.class);
  }
}
