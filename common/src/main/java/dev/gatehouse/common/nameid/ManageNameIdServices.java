package dev.gatehouse.common.nameid;

import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import java.util.Optional;

/** The ManageNameIDServices in a partner's metadata. */
final class ManageNameIdServices {

  private ManageNameIdServices() {}

  static Optional<Endpoint> of(NameIdParty self, PartnerMetadata partner, Binding binding) {
    return self.endpoints(partner).stream().filter(endpoint -> endpoint.binding() == binding).findFirst();
  }

  /** Returns the service by Redirect, which needs no script, else the one by POST. */
  static Optional<Endpoint> front(NameIdParty self, PartnerMetadata partner) {
    return of(self, partner, Binding.REDIRECT).or(() -> of(self, partner, Binding.POST));
  }
}
