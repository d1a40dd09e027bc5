package dev.gatehouse.common.nameid;

import dev.gatehouse.common.backchannel.SoapReplies;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlIds;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Received;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdRequest;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdResponse;
import dev.gatehouse.common.saml.message.SamlReader;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.TakeResult;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Reads and answers messages of partners to our ManageNameIDServices (SAML Profiles 4.5.4). */
public final class ManageNameIdReceiver {

  /** The meaning of a request to one of our endpoints. */
  public sealed interface ManageNameIdOutcome {
    /** A partner's request about a name of its own; to be executed and answered. */
    record Requested(Received<ManageNameIdRequest> request) implements ManageNameIdOutcome {}

    /** A valid request for something that cannot be done; to be audited and answered with the status. */
    record Declined(Received<ManageNameIdRequest> request, SamlRefusal refusal, SamlStatus status) implements ManageNameIdOutcome {}

    /** The response to a request of ours. */
    record Answered(PendingNameIdChange sent, SamlStatus status) implements ManageNameIdOutcome {}

    /**
     * A message that must not be answered.
     *
     * @param partner {@code -} if it is not known
     */
    record Refused(String partner, String message, SamlRefusal refusal) implements ManageNameIdOutcome {}
  }

  private final SamlReader reader;
  private final SoapReplies soapReplies;
  private final BrowserMessageSender carrier;
  private final SingleUseStore<PendingNameIdChange> sent;
  private final ReplayCache replay;
  private final InstantSource time;
  private final RandomGenerator random;

  /** @param sending the sender of the requests whose responses come here */
  public ManageNameIdReceiver(
      SamlReader reader,
      SamlWriter writer,
      ManageNameIdSender sending,
      ReplayCache replay,
      Pages pages,
      InstantSource time,
      RandomGenerator random) {
    this.reader = reader;
    this.soapReplies = new SoapReplies(writer);
    this.carrier = new BrowserMessageSender(writer, pages);
    this.sent = sending.sent();
    this.replay = replay;
    this.time = time;
    this.random = random;
  }

  /** Reads a message to our ManageNameIDService for browsers. */
  public ManageNameIdOutcome byBrowser(NameIdParty self, EdgeRequest request) {
    if (SamlReader.isSoap(request)) {
      return refused("-", "ManageNameIDRequest", Reason.UNEXPECTED_MESSAGE, "SOAP at the endpoint for browsers");
    }
    Optional<SamlReader.Kind> kind = SamlReader.kind(request);
    if (kind.isEmpty()) {
      return refused("-", "ManageNameIDRequest", Reason.NO_MESSAGE, "neither or both of SAMLRequest and SAMLResponse");
    }
    return switch (kind.get()) {
      case REQUEST -> asked(self, request, self.location());
      case RESPONSE -> answered(self, request);
    };
  }

  /** Reads a message to our ManageNameIDService for SOAP: requests only. */
  public ManageNameIdOutcome bySoap(NameIdParty self, EdgeRequest request) {
    return SamlReader.isSoap(request)
        ? asked(self, request, self.soapLocation())
        : refused("-", "ManageNameIDRequest", Reason.UNEXPECTED_MESSAGE, "not SOAP");
  }

  private ManageNameIdOutcome asked(NameIdParty self, EdgeRequest request, String location) {
    return switch (reader.manageNameIdRequest(request, self.partners())) {
      case Result.Refused(SamlRefusal refusal) ->
          new ManageNameIdOutcome.Refused("-", "ManageNameIDRequest", refusal);
      case Result.Accepted(Received<ManageNameIdRequest> received) ->
          checked(self, received, location);
    };
  }

  private ManageNameIdOutcome checked(NameIdParty self, Received<ManageNameIdRequest> received, String location) {
    ManageNameIdRequest message = received.message();
    Instant now = time.instant();
    Optional<SamlRefusal> refusal =
        AddressedCheck.check(message, location)
            .or(() -> FreshnessCheck.check(message, now))
            .or(() -> answerable(self, received))
            .or(() -> replayed(self, message));
    if (refusal.isPresent()) {
      return new ManageNameIdOutcome.Refused(message.issuer(), "ManageNameIDRequest", refusal.get());
    }
    return OwnNameCheck.check(message, self)
        .<ManageNameIdOutcome>map(foreign -> new ManageNameIdOutcome.Declined(received, foreign, unknownPrincipal()))
        .or(() -> NewIdCheck.check(message).map(unusable -> new ManageNameIdOutcome.Declined(received, unusable, denied())))
        .orElseGet(() -> new ManageNameIdOutcome.Requested(received));
  }

  /** Checked before anything is done: a request that cannot be answered is not executed. */
  private Optional<SamlRefusal> answerable(NameIdParty self, Received<ManageNameIdRequest> received) {
    boolean can = received.binding() == Binding.SOAP || wayBack(self, received).isPresent();
    return can
        ? Optional.empty()
        : Optional.of(new SamlRefusal(Reason.NO_ENDPOINT, "no ManageNameIDService to answer to"));
  }

  private Optional<SamlRefusal> replayed(NameIdParty self, ManageNameIdRequest message) {
    var key = new ReplayCache.ReplayKey(self.realm().name(), message.issuer(), message.id());
    return replay.firstSeen(key, FreshnessCheck.forgotten(message))
        ? Optional.empty()
        : Optional.of(new SamlRefusal(Reason.REPLAYED, "ManageNameIDRequest came before"));
  }

  /** Declines a request about a name that nobody has between us and the partner. */
  public static ManageNameIdOutcome.Declined unknown(Received<ManageNameIdRequest> received) {
    return new ManageNameIdOutcome.Declined(
        received, new SamlRefusal(Reason.NAME_ID_UNKNOWN, "nobody has that name"), unknownPrincipal());
  }

  /** Declines a NewID that belongs to another person. */
  public static ManageNameIdOutcome.Declined taken(Received<ManageNameIdRequest> received) {
    return new ManageNameIdOutcome.Declined(
        received, new SamlRefusal(Reason.NEW_ID_UNUSABLE, "the NewID is another person's"), denied());
  }

  private static SamlStatus unknownPrincipal() {
    return SamlStatus.of(SamlStatus.REQUESTER, SamlStatus.UNKNOWN_PRINCIPAL);
  }

  private static SamlStatus denied() {
    return SamlStatus.of(SamlStatus.REQUESTER, SamlStatus.REQUEST_DENIED);
  }

  private ManageNameIdOutcome answered(NameIdParty self, EdgeRequest request) {
    return switch (reader.manageNameIdResponse(request, self.partners())) {
      case Result.Refused(SamlRefusal refusal) ->
          new ManageNameIdOutcome.Refused("-", "ManageNameIDResponse", refusal);
      case Result.Accepted(Received<ManageNameIdResponse> received) ->
          matched(self, received.message());
    };
  }

  private ManageNameIdOutcome matched(NameIdParty self, ManageNameIdResponse message) {
    String partner = message.issuer();
    Optional<SamlRefusal> misdirected = AddressedCheck.check(message, self.location());
    if (misdirected.isPresent()) {
      return new ManageNameIdOutcome.Refused(partner, "ManageNameIDResponse", misdirected.get());
    }
    String id = message.inResponseTo().orElse("");
    boolean fits =
        sent.peek(id).filter(s -> s.partner().equals(partner) && s.realm().equals(self.realm().name())).isPresent();
    if (fits && sent.take(id) instanceof TakeResult.First<PendingNameIdChange>(PendingNameIdChange change)) {
      return new ManageNameIdOutcome.Answered(change, message.status());
    }
    return refused(partner, "ManageNameIDResponse", Reason.IN_RESPONSE_TO, "no request of ours to it waits for this");
  }

  private static ManageNameIdOutcome refused(String partner, String message, Reason reason, String detail) {
    return new ManageNameIdOutcome.Refused(partner, message, new SamlRefusal(reason, detail));
  }

  /** Returns the response, by the same way as the request. */
  public EdgeReply answer(
      NameIdParty self, EdgeRequest request, Received<ManageNameIdRequest> received, SamlStatus status) {
    Optional<Endpoint> way = received.binding() == Binding.SOAP ? Optional.empty() : wayBack(self, received);
    ManageNameIdResponse response =
        new ManageNameIdResponse(
            SamlIds.create(random),
            time.instant(),
            self.entityId(),
            way.map(Endpoint::locationForResponses),
            Optional.of(received.message().id()),
            status);
    return way.map(
            endpoint ->
                carrier.carry(
                    self, request, response, endpoint.binding(), endpoint.locationForResponses(), received.relayState()))
        .orElseGet(() -> soapReplies.message(response, self.key()));
  }

  /** Returns the response to refused SOAP requests; the reason is in the audit log. */
  public EdgeReply soapRefusal() {
    return soapReplies.refused();
  }

  /** Returns the destination of a response by browser: with the binding of the request, if the partner lists it. */
  private static Optional<Endpoint> wayBack(NameIdParty self, Received<ManageNameIdRequest> received) {
    return switch (self.partners().apply(received.message().issuer())) {
      case Result.Refused<PartnerMetadata, SamlRefusal> refused -> Optional.empty();
      case Result.Accepted(PartnerMetadata partner) ->
          ManageNameIdServices.of(self, partner, received.binding()).or(() -> ManageNameIdServices.front(self, partner));
    };
  }
}
