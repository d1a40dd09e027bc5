package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import java.time.InstantSource;
import java.util.Optional;

/**
 * IdP-initiated sign-on (SAML Profiles 4.1.5). {@code sp} names the service provider, {@code RelayState} is passed on,
 * and {@code binding} is {@code post}, {@code artifact} or {@code artifact-form} (the artifact travels in a form, not
 * in an address); without it the partner's default service is used. A link on any page may lead here, but only to a
 * service that the partner's metadata lists.
 */
final class InitEndpoint implements Endpoint {

  /** The binding guarantees 80 bytes; this is what recipients tolerate. */
  private static final int RELAY_STATE_LENGTH = 1024;

  private final SsoPartners partners;
  private final SignOnAnswer answer;
  private final Refusals refusals;
  private final InstantSource clock;

  InitEndpoint(SsoPartners partners, SignOnAnswer answer, Refusals refusals, InstantSource clock) {
    this.partners = partners;
    this.answer = answer;
    this.refusals = refusals;
    this.clock = clock;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    if (!request.idp().unsolicited()) {
      return refusals.page(request, 404, "not-found", "UNSOLICITED_OFF");
    }
    Parameters query = request.http().queryParameters();
    Optional<String> relayState = query.one("RelayState");
    if (relayState.filter(state -> state.length() > RELAY_STATE_LENGTH).isPresent()) {
      return refusals.page(request, 400, "bad-request", "RELAY_STATE_TOO_LONG");
    }
    String entityId = query.one("sp").orElse("");
    return switch (partners.find(request.realm().name(), entityId)) {
      case Result.Refused(var refusal) -> refuse(request, entityId, refusal);
      case Result.Accepted(var partner) -> begin(request, partner, query.one("binding"), relayState);
    };
  }

  private EdgeReply begin(
      RealmRequest request, SsoPartner partner, Optional<String> binding, Optional<String> relayState) {
    Optional<Result<ConsumerService, SamlRefusal>> chosen =
        switch (binding.orElse("")) {
          case "" -> Optional.of(ConsumerServiceSelector.preferred(partner.consumers()));
          case "post" -> Optional.of(ConsumerServiceSelector.preferred(partner.consumers(), Binding.POST));
          case "artifact", "artifact-form" ->
              Optional.of(ConsumerServiceSelector.preferred(partner.consumers(), Binding.ARTIFACT));
          default -> Optional.empty();
        };
    if (chosen.isEmpty()) {
      return refusals.page(request, 400, "bad-request", "NO_SUCH_BINDING");
    }
    boolean byForm = binding.filter("artifact-form"::equals).isPresent();
    return switch (chosen.get()) {
      case Result.Refused(var refusal) -> refuse(request, partner.entityId(), refusal);
      case Result.Accepted(var consumer) ->
          answer.answer(
              request, signOn(request, partner, consumer, byForm, relayState), partner, Optional.empty());
    };
  }

  private SignOn signOn(
      RealmRequest request, SsoPartner partner, ConsumerService consumer, boolean byForm, Optional<String> relayState) {
    return new SignOn(
        request.realm().name(),
        partner.entityId(),
        new SignOn.Delivery(consumer, byForm, Optional.empty(), relayState),
        clock.instant(),
        RequestedNameId.of(partner.sp().config().nameId()),
        Optional.empty(),
        SignOn.Authentication.ANY);
  }

  private EdgeReply refuse(RealmRequest request, String entityId, SamlRefusal refusal) {
    String shown = entityId.length() > 200 ? entityId.substring(0, 200) : entityId;
    return refusals.message(request, shown, "IdP-initiated sign-on", refusal);
  }
}
