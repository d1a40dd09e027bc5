package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.saml.Reading;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.saml.SpPartners;
import java.time.InstantSource;
import java.util.Optional;

/**
 * IdP-initiated sign-on (SAML Profiles 4.1.5): {@code sp} names the service provider, {@code RelayState} goes along. A link
 * on any page may lead here; what it can reach is only a consumer that the partner's metadata lists.
 */
final class InitEndpoint implements Endpoint {

  /** What the binding promises is 80 bytes; as much as readers tolerate. */
  private static final int RELAY_STATE_LENGTH = 1024;

  private final SpPartners partners;
  private final SignOnAnswer answer;
  private final Refusals refusals;
  private final InstantSource clock;

  InitEndpoint(SpPartners partners, SignOnAnswer answer, Refusals refusals, InstantSource clock) {
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
      case Reading.Refused<SpPartners.Sp>(var refusal) -> refuse(request, entityId, refusal);
      case Reading.Accepted<SpPartners.Sp>(var sp) ->
          switch (ConsumerChoice.preferred(sp.role())) {
            case Reading.Refused<String>(var refusal) -> refuse(request, entityId, refusal);
            case Reading.Accepted<String>(var consumer) ->
                answer.begin(request, signOn(request, sp, consumer, relayState));
          };
    };
  }

  private SignOn signOn(RealmRequest request, SpPartners.Sp sp, String consumer, Optional<String> relayState) {
    return new SignOn(
        request.realm().name(),
        sp.entityId(),
        consumer,
        Optional.empty(),
        clock.instant(),
        relayState,
        sp.config().nameId(),
        true,
        false,
        false,
        Optional.empty(),
        Optional.empty());
  }

  private EdgeReply refuse(RealmRequest request, String entityId, SamlRefusal refusal) {
    String shown = entityId.length() > 200 ? entityId.substring(0, 200) : entityId;
    return refusals.message(request, shown, "IdP-initiated sign-on", refusal);
  }
}
