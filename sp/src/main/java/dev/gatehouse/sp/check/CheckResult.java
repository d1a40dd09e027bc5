package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import java.util.Optional;

/**
 * The result of one rule.
 *
 * @param check the class of the rule
 * @param refusal empty if the rule is satisfied
 */
public record CheckResult(Class<?> check, Optional<SamlRefusal> refusal) {}
