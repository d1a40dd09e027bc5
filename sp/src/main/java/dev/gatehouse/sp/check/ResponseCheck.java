package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.ReceivedResponse;
import java.util.Optional;

/** A rule about a Response. */
public interface ResponseCheck {

  /** Returns the reason to refuse it; empty if the rule is satisfied. */
  Optional<SamlRefusal> check(ReceivedResponse response, ResponseExpectation expected);
}
