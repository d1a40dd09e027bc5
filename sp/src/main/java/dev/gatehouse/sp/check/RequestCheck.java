package dev.gatehouse.sp.check;

import dev.gatehouse.common.saml.SamlRefusal;
import java.util.Optional;

/** One rule about a verified answer and the request of ours that it answers. */
public interface RequestCheck {

  /** Why it is refused; empty where this rule has nothing against it. */
  Optional<SamlRefusal> check(AuthenticationResult answer, RequestedLogin asked);
}
