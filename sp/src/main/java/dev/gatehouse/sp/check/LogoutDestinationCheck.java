package dev.gatehouse.sp.check;

import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * Checks that the LogoutRequest is addressed to this SingleLogoutService (SAML Core 3.2.1; Bindings 3.4.5.2, 3.5.5.2),
 * and not to that of another binding.
 */
public final class LogoutDestinationCheck implements LogoutRequestCheck {

  private final Function<SpConfig, String> service;

  /** @param service the address of ours at which the request arrived */
  public LogoutDestinationCheck(Function<SpConfig, String> service) {
    this.service = service;
  }

  @Override
  public Optional<SamlRefusal> check(LogoutRequest request, SpConfig sp, Instant now) {
    return SamlRefusal.unless(
        request.destination().filter(service.apply(sp)::equals).isPresent(),
        Reason.DESTINATION,
        "Destination is missing or not our SingleLogoutService");
  }
}
