package dev.gatehouse.common.nameid;

import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.PartnerMetadata;
import dev.gatehouse.common.saml.PartnerMetadata.Endpoint;
import java.util.Optional;

/** The ManageNameIDServices that a partner lists. */
final class ManageNameIdServices {

  private ManageNameIdServices() {}

  static Optional<Endpoint> of(NameIdParty self, PartnerMetadata partner, Binding binding) {
    return self.endpoints(partner).stream().filter(endpoint -> endpoint.binding() == binding).findFirst();
  }

  /** By Redirect, which needs no script, else by POST. */
  static Optional<Endpoint> front(NameIdParty self, PartnerMetadata partner) {
    return of(self, partner, Binding.REDIRECT).or(() -> of(self, partner, Binding.POST));
  }
}
