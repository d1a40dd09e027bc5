package dev.gatehouse.sp.check;

import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import java.time.Instant;
import java.util.Optional;

/** A rule about a LogoutRequest whose signature was verified. */
public interface LogoutRequestCheck {

  /** Returns the reason to refuse it; empty if the rule is satisfied. */
  Optional<SamlRefusal> check(LogoutRequest request, SpConfig sp, Instant now);
}
