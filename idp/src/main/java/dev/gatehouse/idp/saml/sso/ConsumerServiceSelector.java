package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import java.util.Optional;

/**
 * Selects the destination of the Response. It must be an AssertionConsumerService that the partner's metadata lists
 * (SAML Core 3.4.1, Profiles 4.1.4.1), selected by URL, by index, by ProtocolBinding, or as the default. A destination
 * that is not listed gets no answer at all, not even an error status.
 *
 * <p>Core forbids Index together with ProtocolBinding. Many products send both, which is harmless if they agree.
 */
final class ConsumerServiceSelector {

  private ConsumerServiceSelector() {}

  static Result<ConsumerService, SamlRefusal> of(AuthnRequest request, ConsumerServices consumers) {
    if (request.delivery().assertionConsumerServiceUrl().isPresent() && request.delivery().assertionConsumerServiceIndex().isPresent()) {
      return refused(Reason.SCHEMA, "AssertionConsumerServiceURL and Index exclude each other");
    }
    Optional<Binding> wanted = request.delivery().protocolBinding().flatMap(Binding::ofUri).filter(ConsumerServices::offers);
    if (request.delivery().assertionConsumerServiceUrl().isPresent()) {
      return consumers.at(request.delivery().assertionConsumerServiceUrl().get()).stream()
          .filter(consumer -> fits(consumer, wanted))
          .findFirst()
          .<Result<ConsumerService, SamlRefusal>>map(Result.Accepted::new)
          .orElseGet(() -> unlisted("AssertionConsumerServiceURL", wanted));
    }
    if (request.delivery().assertionConsumerServiceIndex().isPresent()) {
      return consumers
          .indexed(request.delivery().assertionConsumerServiceIndex().get())
          .filter(consumer -> fits(consumer, wanted))
          .<Result<ConsumerService, SamlRefusal>>map(Result.Accepted::new)
          .orElseGet(() -> unlisted("AssertionConsumerServiceIndex", wanted));
    }
    // If no service has that binding, the default one receives the status that the binding is not supported.
    return wanted
        .flatMap(consumers::preferred)
        .<Result<ConsumerService, SamlRefusal>>map(Result.Accepted::new)
        .orElseGet(() -> preferred(consumers));
  }

  /** Returns the default service. */
  static Result<ConsumerService, SamlRefusal> preferred(ConsumerServices consumers) {
    return found(consumers.preferred());
  }

  /** Returns the default service among those with this binding. */
  static Result<ConsumerService, SamlRefusal> preferred(ConsumerServices consumers, Binding binding) {
    return found(consumers.preferred(binding));
  }

  private static Result<ConsumerService, SamlRefusal> found(Optional<ConsumerService> consumer) {
    return consumer
        .<Result<ConsumerService, SamlRefusal>>map(Result.Accepted::new)
        .orElseGet(() -> refused(Reason.NO_ENDPOINT, "metadata lists no such AssertionConsumerService"));
  }

  private static boolean fits(ConsumerService consumer, Optional<Binding> wanted) {
    return wanted.filter(binding -> binding != consumer.binding()).isEmpty();
  }

  private static Result<ConsumerService, SamlRefusal> unlisted(String what, Optional<Binding> wanted) {
    String suffix = wanted.map(binding -> " for " + binding).orElse("");
    return refused(Reason.ACS_NOT_LISTED, "metadata lists no such " + what + suffix);
  }

  private static Result<ConsumerService, SamlRefusal> refused(Reason reason, String detail) {
    return new Result.Refused<>(new SamlRefusal(reason, detail));
  }
}
