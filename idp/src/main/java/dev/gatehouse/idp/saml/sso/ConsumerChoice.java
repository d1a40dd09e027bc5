package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.PartnerMetadata.AssertionConsumerService;
import dev.gatehouse.common.saml.PartnerMetadata.SpRole;
import dev.gatehouse.common.saml.Reading;
import dev.gatehouse.common.saml.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Where the Response goes: only to an AssertionConsumerService that the partner's metadata lists (SAML Core 3.4.1, Profiles
 * 4.1.4.1). What is not listed is never answered, not even with an error status.
 */
final class ConsumerChoice {

  private ConsumerChoice() {}

  static Reading<String> of(AuthnRequest request, SpRole role) {
    if (request.assertionConsumerServiceUrl().isPresent() && request.assertionConsumerServiceIndex().isPresent()) {
      return refused(Reason.SCHEMA, "AssertionConsumerServiceURL and Index exclude each other");
    }
    List<AssertionConsumerService> byPost =
        role.assertionConsumers().stream().filter(consumer -> consumer.binding() == Binding.POST).toList();
    if (request.assertionConsumerServiceUrl().isPresent()) {
      String url = request.assertionConsumerServiceUrl().get();
      return byPost.stream().anyMatch(consumer -> consumer.location().equals(url))
          ? new Reading.Accepted<>(url)
          : refused(Reason.ACS_NOT_LISTED, "metadata lists no such AssertionConsumerServiceURL for POST");
    }
    if (request.assertionConsumerServiceIndex().isPresent()) {
      int index = request.assertionConsumerServiceIndex().get();
      return byPost.stream()
          .filter(consumer -> consumer.index() == index)
          .findFirst()
          .<Reading<String>>map(consumer -> new Reading.Accepted<>(consumer.location()))
          .orElseGet(() -> refused(Reason.ACS_NOT_LISTED, "metadata lists no such AssertionConsumerServiceIndex for POST"));
    }
    return preferred(role);
  }

  /** The default one among those for POST (SAML Metadata 2.2.3). */
  static Reading<String> preferred(SpRole role) {
    Optional<AssertionConsumerService> preferred =
        role.assertionConsumers().stream()
            .filter(consumer -> consumer.binding() == Binding.POST)
            .min(
                Comparator.comparing((AssertionConsumerService consumer) -> !consumer.isDefault())
                    .thenComparingInt(AssertionConsumerService::index));
    return preferred
        .<Reading<String>>map(consumer -> new Reading.Accepted<>(consumer.location()))
        .orElseGet(() -> refused(Reason.NO_ENDPOINT, "metadata lists no AssertionConsumerService for POST"));
  }

  /** Whether metadata, which may have changed meanwhile, still lists it. */
  static boolean isListed(String location, SpRole role) {
    return role.assertionConsumers().stream()
        .anyMatch(consumer -> consumer.binding() == Binding.POST && consumer.location().equals(location));
  }

  private static Reading<String> refused(Reason reason, String detail) {
    return new Reading.Refused<>(new SamlRefusal(reason, detail));
  }
}
