package dev.gatehouse.common.nameid;

import dev.gatehouse.common.admin.AdminResource.PartnerNotification;
import dev.gatehouse.common.backchannel.SoapCall;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlIds;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.encryption.Encryption;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdRequest;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdRequest.Change;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdResponse;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Notifies partners of a change of a name (SAML Profiles 4.5.4.1): by SOAP if they support it, else by the person's browser. */
public final class ManageNameIdSender {

  /** The time that a browser has to bring a response. */
  private static final Duration LIFE = Duration.ofMinutes(10);

  /** The time that a partner has to answer by SOAP; a person is waiting. */
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  /** The result of a request of ours. */
  public sealed interface Sending {
    /** The partner answered by SOAP. */
    record Answered(SamlStatus status) implements Sending {}

    /** The browser must carry the request; {@link ManageNameIdOutcome.Answered} comes later. */
    record ByBrowser(EdgeReply reply) implements Sending {}

    /**
     * The partner offers no way, or did not answer.
     *
     * @param problem for administrators and the log
     */
    record NotDelivered(String problem) implements Sending {}
  }

  /** Returns the result for administrators. */
  public static PartnerNotification notification(Sending sending) {
    return switch (sending) {
      case Sending.Answered(SamlStatus status) when status.isSuccess() -> new PartnerNotification(true, Optional.empty());
      case Sending.Answered(SamlStatus status) ->
          new PartnerNotification(false, Optional.of("it answered " + status.subCode().orElse(status.code())));
      case Sending.NotDelivered(String problem) -> new PartnerNotification(false, Optional.of(problem));
      case Sending.ByBrowser(_) -> throw new IllegalStateException("administrators have no browser that carries messages");
    };
  }

  /**
   * A browser that can carry a message, because it has just sent a form of ours.
   *
   * @param back see {@link PendingNameIdChange}
   */
  public record Browser(EdgeRequest request, String back) {}

  private final SamlWriter writer;
  private final SoapCall calls;
  private final SingleUseStore<PendingNameIdChange> sent;
  private final Pages pages;
  private final InstantSource time;
  private final RandomGenerator random;

  /** @param store name of the key space for pending requests by browser, which is claimed */
  public ManageNameIdSender(
      SamlWriter writer,
      SoapCall calls,
      Stores stores,
      String store,
      Pages pages,
      InstantSource time,
      RandomGenerator random) {
    this.writer = writer;
    this.calls = calls;
    this.sent = stores.ends().singleUse(store, new JsonCodec<>(PendingNameIdChange.class));
    this.pages = pages;
    this.time = time;
    this.random = random;
  }

  /**
   * Notifies the partner: by SOAP if it supports that, else by the browser if there is one.
   *
   * @param nameId the present name of the person between the two parties
   */
  public Sending send(NameIdParty self, String partner, NameId nameId, Change change, Optional<Browser> browser) {
    return switch (self.partners().apply(partner)) {
      case Result.Refused(SamlRefusal refusal) -> new Sending.NotDelivered(refusal.reason().name());
      case Result.Accepted(PartnerMetadata metadata) ->
          switch (self.encryption().apply(metadata)) {
            case Encryption.Choice.NoKey() -> new Sending.NotDelivered("the partner publishes no key to encrypt to");
            case Encryption.Choice.None() -> send(self, metadata, nameId, change, Optional.empty(), browser);
            case Encryption.Choice.With(Encryption encryption) ->
                send(self, metadata, nameId, change, Optional.of(encryption), browser);
          };
    };
  }

  private Sending send(
      NameIdParty self,
      PartnerMetadata partner,
      NameId nameId,
      Change change,
      Optional<Encryption> encryption,
      Optional<Browser> browser) {
    Optional<Endpoint> soap = ManageNameIdServices.of(self, partner, Binding.SOAP);
    if (soap.isPresent()) {
      String location = soap.get().location();
      var to = new SoapCall.To(partner, location, self.key(), encryption, TIMEOUT);
      return switch (calls.manageNameId(request(self, location, nameId, change), to)) {
        case SoapCall.Outcome.Answered<ManageNameIdResponse>(ManageNameIdResponse answer) ->
            new Sending.Answered(answer.status());
        case SoapCall.Outcome.Refused<ManageNameIdResponse>(SamlRefusal refusal) ->
            new Sending.NotDelivered("its answer was refused: " + refusal.reason());
        case SoapCall.Outcome.Unreachable<ManageNameIdResponse>(String problem) -> new Sending.NotDelivered(problem);
      };
    }
    Optional<Endpoint> front = ManageNameIdServices.front(self, partner);
    if (front.isEmpty() || browser.isEmpty()) {
      return new Sending.NotDelivered(
          front.isEmpty() ? "it has no ManageNameIDService" : "it can be told by way of the person's browser only");
    }
    BrowserMessageSender carrier = new BrowserMessageSender(encryption.map(writer::encrypting).orElse(writer), pages);
    return byBrowser(self, partner, nameId, change, carrier, browser.get(), front.get());
  }

  /** Returns the requests by browser that are not answered yet. */
  SingleUseStore<PendingNameIdChange> sent() {
    return sent;
  }

  private Sending byBrowser(
      NameIdParty self, PartnerMetadata partner, NameId nameId, Change change, BrowserMessageSender carrier, Browser browser,
      Endpoint front) {
    ManageNameIdRequest message = request(self, front.location(), nameId, change);
    Optional<String> newId = change instanceof Change.NewId(String value) ? Optional.of(value) : Optional.empty();
    sent.put(
        message.id(),
        new PendingNameIdChange(self.realm().name(), partner.entityId(), nameId.value(), newId, browser.back()),
        time.instant().plus(LIFE));
    return new Sending.ByBrowser(
        carrier.carryFromForm(
            self, browser.request(), message, front.binding(), front.location(), Optional.of(message.id())));
  }

  private ManageNameIdRequest request(NameIdParty self, String location, NameId nameId, Change change) {
    return new ManageNameIdRequest(
        SamlIds.create(random), time.instant(), self.entityId(), Optional.of(location), nameId, change);
  }
}
