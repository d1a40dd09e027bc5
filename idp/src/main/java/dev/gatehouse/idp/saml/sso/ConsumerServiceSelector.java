package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.Reading;
import dev.gatehouse.common.saml.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import java.util.Optional;

/**
 * Where the Response goes: only to an AssertionConsumerService that the partner's metadata lists (SAML Core 3.4.1, Profiles
 * 4.1.4.1), by URL, by index, by ProtocolBinding, or the default one. What is not listed is never answered, not even with an
 * error status.
 *
 * <p>Index and ProtocolBinding exclude each other in Core; many send both, which does no harm where they agree.
 */
final class ConsumerServiceSelector {

  private ConsumerServiceSelector() {}

  static Reading<ConsumerService> of(AuthnRequest request, ConsumerServices consumers) {
    if (request.assertionConsumerServiceUrl().isPresent() && request.assertionConsumerServiceIndex().isPresent()) {
      return refused(Reason.SCHEMA, "AssertionConsumerServiceURL and Index exclude each other");
    }
    Optional<Binding> wanted = request.protocolBinding().flatMap(Binding::ofUri).filter(ConsumerServices::offers);
    if (request.assertionConsumerServiceUrl().isPresent()) {
      return consumers.at(request.assertionConsumerServiceUrl().get()).stream()
          .filter(consumer -> fits(consumer, wanted))
          .findFirst()
          .<Reading<ConsumerService>>map(Reading.Accepted::new)
          .orElseGet(() -> unlisted("AssertionConsumerServiceURL", wanted));
    }
    if (request.assertionConsumerServiceIndex().isPresent()) {
      return consumers
          .indexed(request.assertionConsumerServiceIndex().get())
          .filter(consumer -> fits(consumer, wanted))
          .<Reading<ConsumerService>>map(Reading.Accepted::new)
          .orElseGet(() -> unlisted("AssertionConsumerServiceIndex", wanted));
    }
    // Without one for that binding, the default one hears that the binding is not supported.
    return wanted
        .flatMap(consumers::preferred)
        .<Reading<ConsumerService>>map(Reading.Accepted::new)
        .orElseGet(() -> preferred(consumers));
  }

  /** The default one. */
  static Reading<ConsumerService> preferred(ConsumerServices consumers) {
    return found(consumers.preferred());
  }

  /** The default one of those for that binding. */
  static Reading<ConsumerService> preferred(ConsumerServices consumers, Binding binding) {
    return found(consumers.preferred(binding));
  }

  private static Reading<ConsumerService> found(Optional<ConsumerService> consumer) {
    return consumer
        .<Reading<ConsumerService>>map(Reading.Accepted::new)
        .orElseGet(() -> refused(Reason.NO_ENDPOINT, "metadata lists no such AssertionConsumerService"));
  }

  private static boolean fits(ConsumerService consumer, Optional<Binding> wanted) {
    return wanted.filter(binding -> binding != consumer.binding()).isEmpty();
  }

  private static Reading<ConsumerService> unlisted(String what, Optional<Binding> wanted) {
    String suffix = wanted.map(binding -> " for " + binding).orElse("");
    return refused(Reason.ACS_NOT_LISTED, "metadata lists no such " + what + suffix);
  }

  private static Reading<ConsumerService> refused(Reason reason, String detail) {
    return new Reading.Refused<>(new SamlRefusal(reason, detail));
  }
}
