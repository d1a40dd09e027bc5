package dev.gatehouse.idp.saml.slo;

import dev.gatehouse.common.realm.PartnerConfig.Logout;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import dev.gatehouse.idp.saml.SpPartners.Sp;
import dev.gatehouse.idp.saml.slo.RunningLogout.Destination;
import dev.gatehouse.idp.saml.slo.RunningLogout.Ways;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The addresses in a partner's metadata for logout messages: Redirect, which needs no script, otherwise POST; and SOAP.
 */
final class SloLocations {

  private SloLocations() {}

  static Ways forRequests(Result<Sp, SamlRefusal> partner) {
    return switch (partner) {
      // A broken metadata document may be repaired within a minute, so a notice is stored and repeated.
      case Result.Refused(var refusal) ->
          new Ways(Optional.empty(), refusal.reason() == Reason.PARTNER_METADATA_UNAVAILABLE, false);
      case Result.Accepted(var sp) -> {
        boolean back = sp.role().sso().singleLogout().stream().anyMatch(endpoint -> endpoint.binding() == Binding.SOAP);
        yield new Ways(front(sp, Endpoint::location), back, sp.config().logout() == Logout.SOAP);
      }
    };
  }

  /** The address for the answer to a request: with the same binding if the partner lists it. */
  static Optional<Destination> forResponses(Result<Sp, SamlRefusal> partner, Binding cameBy) {
    return switch (partner) {
      case Result.Refused<Sp, SamlRefusal> refused -> Optional.empty();
      case Result.Accepted(var sp) ->
          find(sp.role().sso().singleLogout(), cameBy, Endpoint::locationForResponses)
              .or(() -> front(sp, Endpoint::locationForResponses));
    };
  }

  private static Optional<Destination> front(Sp sp, Function<Endpoint, String> location) {
    return find(sp.role().sso().singleLogout(), Binding.REDIRECT, location)
        .or(() -> find(sp.role().sso().singleLogout(), Binding.POST, location));
  }

  private static Optional<Destination> find(
      List<Endpoint> endpoints, Binding binding, Function<Endpoint, String> location) {
    return endpoints.stream()
        .filter(endpoint -> endpoint.binding() == binding)
        .findFirst()
        .map(endpoint -> new Destination(binding, location.apply(endpoint)));
  }
}
