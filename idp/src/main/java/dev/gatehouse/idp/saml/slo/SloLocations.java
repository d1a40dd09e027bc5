package dev.gatehouse.idp.saml.slo;

import dev.gatehouse.common.realm.PartnerConfig.Logout;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.PartnerMetadata.Endpoint;
import dev.gatehouse.common.saml.Reading;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.idp.saml.SpPartners.Sp;
import dev.gatehouse.idp.saml.slo.RunningLogout.Destination;
import dev.gatehouse.idp.saml.slo.RunningLogout.Ways;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Where a partner's metadata wants logout messages: by Redirect, which needs no script, else by POST; and by SOAP. */
final class SloLocations {

  private SloLocations() {}

  static Ways forRequests(Reading<Sp> partner) {
    return switch (partner) {
      // A broken document may be mended in a minute: that is what keeping a notice is for.
      case Reading.Refused<Sp>(var refusal) ->
          new Ways(Optional.empty(), refusal.reason() == Reason.PARTNER_METADATA_UNAVAILABLE, false);
      case Reading.Accepted<Sp>(var sp) -> {
        boolean back = sp.role().singleLogout().stream().anyMatch(endpoint -> endpoint.binding() == Binding.SOAP);
        yield new Ways(front(sp, Endpoint::location), back, sp.config().logout() == Logout.SOAP);
      }
    };
  }

  /** Where a request that came by that binding is answered: by the same one where the partner lists it. */
  static Optional<Destination> forResponses(Reading<Sp> partner, Binding cameBy) {
    return switch (partner) {
      case Reading.Refused<Sp> refused -> Optional.empty();
      case Reading.Accepted<Sp>(var sp) ->
          find(sp.role().singleLogout(), cameBy, Endpoint::locationForResponses)
              .or(() -> front(sp, Endpoint::locationForResponses));
    };
  }

  private static Optional<Destination> front(Sp sp, Function<Endpoint, String> location) {
    return find(sp.role().singleLogout(), Binding.REDIRECT, location)
        .or(() -> find(sp.role().singleLogout(), Binding.POST, location));
  }

  private static Optional<Destination> find(
      List<Endpoint> endpoints, Binding binding, Function<Endpoint, String> location) {
    return endpoints.stream()
        .filter(endpoint -> endpoint.binding() == binding)
        .findFirst()
        .map(endpoint -> new Destination(binding, location.apply(endpoint)));
  }
}
