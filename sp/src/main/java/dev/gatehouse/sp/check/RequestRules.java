package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import java.util.List;
import java.util.Optional;

/**
 * Every rule that a verified answer must keep towards the request that it answers. They are looked at when the browser brings its request: a
 * Response that another site's page posts comes without it.
 */
public final class RequestRules {

  static final List<RequestCheck> ALL =
      List.of(new AskedIdentityProviderCheck(), new AuthnContextCheck(), new ForceAuthnCheck());

  private RequestRules() {}

  /** The first refusal; empty where all are kept. */
  public static Optional<SamlRefusal> apply(AuthenticationResult answer, RequestedLogin asked) {
    return ALL.stream().map(rule -> rule.check(answer, asked)).flatMap(Optional::stream).findFirst();
  }
}
