package dev.gatehouse.sp.check;

import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.common.saml.SamlMessage.LogoutRequest;
import dev.gatehouse.common.saml.SamlRefusal;
import java.time.Instant;
import java.util.Optional;

/** One rule about a LogoutRequest whose signature was verified. */
public interface LogoutRequestCheck {

  /** Why it is refused; empty where this rule has nothing against it. */
  Optional<SamlRefusal> check(LogoutRequest request, SpConfig sp, Instant now);
}
