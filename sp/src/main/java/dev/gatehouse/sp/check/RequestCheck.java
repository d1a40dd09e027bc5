package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import java.util.Optional;

/** A rule about a verified answer and our request that it answers. */
public interface RequestCheck {

  /** Returns the reason to refuse it; empty if the rule is satisfied. */
  Optional<SamlRefusal> check(AuthenticationResult result, RequestedLogin requested);
}
