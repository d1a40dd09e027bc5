package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import java.util.List;
import java.util.Optional;

/**
 * All rules between a verified answer and the request that it answers. They run when the browser brings its request: a
 * Response that another site's page posts arrives without it.
 */
public final class RequestRules {

  static final List<RequestCheck> ALL =
      List.of(new AskedIdentityProviderCheck(), new AuthnContextCheck(), new ForceAuthnCheck());

  private RequestRules() {}

  /** Returns the first refusal; empty if all rules are satisfied. */
  public static Optional<SamlRefusal> apply(AuthenticationResult result, RequestedLogin requested) {
    return ALL.stream().map(rule -> rule.check(result, requested)).flatMap(Optional::stream).findFirst();
  }

  /** Returns the result of every rule. */
  public static List<CheckResult> results(AuthenticationResult result, RequestedLogin requested) {
    return ALL.stream().map(rule -> new CheckResult(rule.getClass(), rule.check(result, requested))).toList();
  }
}
