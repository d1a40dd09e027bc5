package dev.gatehouse.common.saml.metadata;

import dev.gatehouse.common.saml.metadata.PartnerMetadata.AssertionConsumerService;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The default among consumers: isDefault, else the lowest index (SAML Metadata 2.2.3). */
public final class DefaultConsumer {

  private DefaultConsumer() {}

  public static Optional<AssertionConsumerService> of(List<AssertionConsumerService> consumers) {
    return consumers.stream()
        .filter(AssertionConsumerService::isDefault)
        .findFirst()
        .or(() -> consumers.stream().min(Comparator.comparingInt(AssertionConsumerService::index)));
  }
}
