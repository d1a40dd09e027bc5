package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.AssertionConsumerService;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.SpRole;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The AssertionConsumerServices that a partner's metadata lists for the bindings that may carry a Response, POST and
 * Artifact (SAML Profiles 4.1.2). Sorted once: the default one first, then by index (SAML Metadata 2.2.3).
 */
final class ConsumerServices {

  private static final List<Binding> OFFERED = List.of(Binding.POST, Binding.ARTIFACT);

  private final List<ConsumerService> all;
  private final Map<Integer, ConsumerService> byIndex = new HashMap<>();
  private final Map<String, List<ConsumerService>> byLocation = new HashMap<>();
  private final Map<Binding, ConsumerService> first = new LinkedHashMap<>();

  private ConsumerServices(List<AssertionConsumerService> sorted) {
    all = sorted.stream().map(ConsumerServices::consumer).toList();
    sorted.forEach(service -> byIndex.putIfAbsent(service.index(), consumer(service)));
    for (ConsumerService consumer : all) {
      first.putIfAbsent(consumer.binding(), consumer);
      byLocation.computeIfAbsent(
          consumer.location(), location -> all.stream().filter(c -> c.location().equals(location)).toList());
    }
  }

  static ConsumerServices of(SpRole role) {
    return new ConsumerServices(
        role.assertionConsumers().stream()
            .filter(service -> offers(service.binding()))
            .sorted(
                Comparator.comparing((AssertionConsumerService service) -> !service.isDefault())
                    .thenComparingInt(AssertionConsumerService::index))
            .toList());
  }

  static boolean offers(Binding binding) {
    return OFFERED.contains(binding);
  }

  /** The services at exactly this address, the preferred one first. */
  List<ConsumerService> at(String location) {
    return byLocation.getOrDefault(location, List.of());
  }

  Optional<ConsumerService> indexed(int index) {
    return Optional.ofNullable(byIndex.get(index));
  }

  /** The default service, if the request does not select one. */
  Optional<ConsumerService> preferred() {
    return all.stream().findFirst();
  }

  Optional<ConsumerService> preferred(Binding binding) {
    return Optional.ofNullable(first.get(binding));
  }

  boolean lists(ConsumerService consumer) {
    return all.contains(consumer);
  }

  private static ConsumerService consumer(AssertionConsumerService service) {
    return new ConsumerService(service.binding(), service.location());
  }
}
