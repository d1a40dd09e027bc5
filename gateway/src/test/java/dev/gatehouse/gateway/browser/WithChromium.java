package dev.gatehouse.gateway.browser;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test class a {@link Chromium} of its own, because Playwright belongs to one thread. Without Chromium its
 * tests are skipped by name; under {@code CI=true} they fail.
 */
public final class WithChromium implements ExecutionCondition, ParameterResolver {

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
    return test.getStore(Namespace.create(WithChromium.class))
        .computeIfAbsent(Chromium.class, _ -> Chromium.start(), Chromium.class);
  }
}
