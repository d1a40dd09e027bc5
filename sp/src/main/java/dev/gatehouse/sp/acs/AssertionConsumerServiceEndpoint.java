package dev.gatehouse.sp.acs;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.saml.Reading;
import dev.gatehouse.common.saml.ReceivedResponse;
import dev.gatehouse.common.saml.SamlReader;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.store.Take;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.login.PendingRequest;
import dev.gatehouse.sp.login.PendingRequests;
import java.util.Optional;

/**
 * {@code /.gatehouse/saml/acs} at home: takes Responses by POST (SAML Bindings 3.5.5), and the GET that a parked login
 * continues with.
 */
public final class AssertionConsumerServiceEndpoint {

  static final String PARKED = "parked";

  private final SamlReader reader;
  private final PartnerRegistry partners;
  private final KeyRings keyRings;
  private final PendingRequests pendings;
  private final ResponseValidator validator;
  private final ArrivalGate gate;
  private final SignOnRefusals signOnRefusals;
  private final Refusals refusals;

  public AssertionConsumerServiceEndpoint(
      SamlReader reader,
      PartnerRegistry partners,
      KeyRings keyRings,
      PendingRequests pendings,
      ResponseValidator validator,
      ArrivalGate gate,
      SignOnRefusals signOnRefusals,
      Refusals refusals) {
    this.reader = reader;
    this.partners = partners;
    this.keyRings = keyRings;
    this.pendings = pendings;
    this.validator = validator;
    this.gate = gate;
    this.signOnRefusals = signOnRefusals;
    this.refusals = refusals;
  }

  public EdgeReply handle(SpRealm realm, EdgeRequest request) {
    if (!realm.isHome(request)) {
      return refusals.notFound(realm, request);
    }
    return switch (request.method()) {
      case "POST" -> post(realm, request);
      case "GET" ->
          request
              .queryParameters()
              .one(PARKED)
              .map(key -> gate.resume(realm, request, key))
              .orElseGet(() -> refusals.methodNotAllowed(realm, request, "POST"));
      default -> refusals.methodNotAllowed(realm, request, "GET, POST");
    };
  }

  private EdgeReply post(SpRealm realm, EdgeRequest request) {
    Optional<String> parked = request.formParameters().one(PARKED);
    return parked.isPresent() ? gate.confirm(realm, request, parked.get()) : receive(realm, request);
  }

  private EdgeReply receive(SpRealm realm, EdgeRequest request) {
    return switch (reader.response(request, identityProviders(realm))) {
      case Reading.Refused<ReceivedResponse>(SamlRefusal refusal) ->
          refusals.message(realm, request, "-", "Response", refusal);
      case Reading.Accepted<ReceivedResponse>(ReceivedResponse response) -> verify(realm, request, response);
    };
  }

  /** Only the realm's identity providers may assert anything: the keys of no other are even tried. */
  private SamlReader.PartnerLookup identityProviders(SpRealm realm) {
    SamlReader.PartnerLookup ours =
        issuer ->
            realm.identityProviders().contains(issuer)
                ? partners.metadata(realm.name(), issuer)
                : new Reading.Refused<>(
                    new SamlRefusal(Reason.PARTNER_UNKNOWN, "no identity provider of ours: " + issuer));
    return ours.decryptingWith(() -> keyRings.of(realm.realm()).decryption(KeyUse.SP_ENCRYPTION));
  }

  private EdgeReply verify(SpRealm realm, EdgeRequest request, ReceivedResponse response) {
    Optional<PendingRequest> pending =
        response
            .response()
            .inResponseTo()
            .flatMap(pendings::peek)
            .filter(found -> found.realm().equals(realm.name()));
    return switch (validator.validate(realm, response, pending)) {
      case Reading.Refused<VerifiedAssertion>(SamlRefusal refusal) ->
          refuse(realm, request, response, pending, refusal);
      case Reading.Accepted<VerifiedAssertion>(VerifiedAssertion assertion) ->
          pending
              .map(found -> gate.answer(realm, request, assertion, found))
              .orElseGet(() -> gate.unsolicited(realm, request, assertion, response.relayState()));
    };
  }

  /** What a person can do something about gets a page of its own. */
  private EdgeReply refuse(
      SpRealm realm,
      EdgeRequest request,
      ReceivedResponse response,
      Optional<PendingRequest> pending,
      SamlRefusal refusal) {
    String issuer = response.response().issuer();
    return switch (refusal.reason()) {
      case STATUS_NOT_SUCCESS ->
          signOnRefusals.status(realm, request, issuer, response.response().status(), pending, refusal);
      case AUTHN_CONTEXT -> signOnRefusals.tooWeak(realm, request, issuer, pending, refusal);
      default -> refusals.message(realm, request, issuer, "Response", precise(refusal, response));
    };
  }

  /** Tells an answer that comes again from one that nobody asked for; what still waits is not touched. */
  private SamlRefusal precise(SamlRefusal refusal, ReceivedResponse response) {
    boolean answeredBefore =
        refusal.reason() == Reason.IN_RESPONSE_TO
            && response
                .response()
                .inResponseTo()
                .filter(id -> pendings.peek(id).isEmpty())
                .filter(id -> pendings.take(id) instanceof Take.Replayed<PendingRequest>)
                .isPresent();
    return answeredBefore ? new SamlRefusal(Reason.REPLAYED, "the request was answered before") : refusal;
  }
}
