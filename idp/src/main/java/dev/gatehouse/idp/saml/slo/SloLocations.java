package dev.gatehouse.idp.saml.slo;

import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.PartnerMetadata.Endpoint;
import dev.gatehouse.common.saml.Reading;
import dev.gatehouse.idp.saml.SpPartners.Sp;
import dev.gatehouse.idp.saml.slo.RunningLogout.Destination;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Where a partner's metadata wants logout messages: by Redirect, which needs no script, else by POST. */
final class SloLocations {

  private SloLocations() {}

  static Optional<Destination> forRequests(Reading<Sp> partner) {
    return of(partner, Endpoint::location);
  }

  static Optional<Destination> forResponses(Reading<Sp> partner) {
    return of(partner, Endpoint::locationForResponses);
  }

  private static Optional<Destination> of(Reading<Sp> partner, Function<Endpoint, String> location) {
    return switch (partner) {
      case Reading.Refused<Sp> refused -> Optional.empty();
      case Reading.Accepted<Sp>(var sp) ->
          find(sp.role().singleLogout(), Binding.REDIRECT, location)
              .or(() -> find(sp.role().singleLogout(), Binding.POST, location));
    };
  }

  private static Optional<Destination> find(
      List<Endpoint> endpoints, Binding binding, Function<Endpoint, String> location) {
    return endpoints.stream()
        .filter(endpoint -> endpoint.binding() == binding)
        .findFirst()
        .map(endpoint -> new Destination(binding, location.apply(endpoint)));
  }
}
