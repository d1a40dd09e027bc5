package dev.gatehouse.common.backchannel;

import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Loopback;
import dev.gatehouse.common.http.OutboundHttp;
import dev.gatehouse.common.key.DecryptionKey;
import dev.gatehouse.common.key.SigningKey;
import dev.gatehouse.common.saml.Encryption;
import dev.gatehouse.common.saml.PartnerMetadata;
import dev.gatehouse.common.saml.Reading;
import dev.gatehouse.common.saml.Received;
import dev.gatehouse.common.saml.ReceivedArtifactResponse;
import dev.gatehouse.common.saml.SamlMessage;
import dev.gatehouse.common.saml.SamlMessage.ArtifactResolve;
import dev.gatehouse.common.saml.SamlMessage.LogoutRequest;
import dev.gatehouse.common.saml.SamlMessage.LogoutResponse;
import dev.gatehouse.common.saml.SamlMessage.ManageNameIdRequest;
import dev.gatehouse.common.saml.SamlMessage.ManageNameIdResponse;
import dev.gatehouse.common.saml.SamlMessage.StatusResponse;
import dev.gatehouse.common.saml.SamlReader;
import dev.gatehouse.common.saml.SamlReader.PartnerLookup;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.SamlWriter;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Signed requests to a partner's SOAP endpoint and the signed answers (SAML Bindings 3.2). An answer counts if a key of
 * that partner's metadata has signed it, that partner is its Issuer and it answers this very request; its Destination
 * says nothing here, since it came back on the connection that we opened. Blocks until the deadline at most.
 */
public final class SoapCall {

  /** As much as of any message (SAML requests and answers are below 20 KB). */
  private static final int MOST_BYTES = 256 << 10;

  private static final Headers HEADERS =
      Headers.of("Content-Type", "text/xml; charset=utf-8")
          .and("Accept", "text/xml")
          .and("Cache-Control", "no-cache, no-store")
          .and("Pragma", "no-cache")
          .and("SOAPAction", "\"http://www.oasis-open.org/committees/security\"");

  /**
   * Where a call goes.
   *
   * @param location of the partner's SOAP endpoint, from its metadata
   * @param key signs the request
   * @param encryption for what is encrypted to this partner
   * @param patience from the call to the last byte of the answer
   */
  public record To(
      PartnerMetadata partner, String location, SigningKey key, Optional<Encryption> encryption, Duration patience) {}

  /** What came of a call. */
  public sealed interface Outcome<A> {
    /** Verified; what the partner thinks of the request is in its Status. */
    record Answered<A>(A answer) implements Outcome<A> {}

    /** The partner answered with something that cannot be accepted; asking again is of no use. */
    record Refused<A>(SamlRefusal refusal) implements Outcome<A> {}

    /** No answer in time; later there may be one. @param problem for logs and administrators */
    record Unreachable<A>(String problem) implements Outcome<A> {}
  }

  private final OutboundHttp http;
  private final SamlReader reader;
  private final SamlWriter writer;

  public SoapCall(OutboundHttp http, SamlReader reader, SamlWriter writer) {
    this.http = http;
    this.reader = reader;
    this.writer = writer;
  }

  /** Single logout (SAML Profiles 4.4.3.2). */
  public Outcome<LogoutResponse> logout(LogoutRequest request, To to) {
    return mapped(call(request, to, only(to.partner()), reader::logoutResponse, Received::message));
  }

  /** A changed or ended name (SAML Profiles 4.5.2). */
  public Outcome<ManageNameIdResponse> manageNameId(ManageNameIdRequest request, To to) {
    return mapped(call(request, to, only(to.partner()), reader::manageNameIdResponse, Received::message));
  }

  /**
   * The message that an artifact stands for (SAML Profiles 5).
   *
   * @param decryption our keys, for what the message has encrypted
   */
  public Outcome<ReceivedArtifactResponse> resolve(
      ArtifactResolve request, To to, Supplier<List<DecryptionKey>> decryption) {
    PartnerLookup partner = only(to.partner()).decryptingWith(decryption);
    return call(request, to, partner, reader::artifactResponse, ReceivedArtifactResponse::response);
  }

  private <A> Outcome<A> call(
      SamlMessage request,
      To to,
      PartnerLookup partner,
      BiFunction<byte[], PartnerLookup, Reading<A>> read,
      Function<A, ? extends StatusResponse> answer) {
    URI location = URI.create(to.location());
    if (!"https".equalsIgnoreCase(location.getScheme()) && !Loopback.isName(location.getHost())) {
      return new Outcome.Unreachable<>("its endpoint is not https");
    }
    byte[] envelope = to.encryption().map(writer::encrypting).orElse(writer).soap(request, to.key());
    return switch (http.post(location, HEADERS, envelope, to.patience(), MOST_BYTES)) {
      case OutboundHttp.Answer.Failed(var cause, String problem) -> new Outcome.Unreachable<>(problem);
      case OutboundHttp.Answer.Received(int status, byte[] body, var redirect) ->
          switch (read.apply(body, partner)) {
            case Reading.Accepted<A>(A accepted) when status == 200 ->
                answer.apply(accepted).inResponseTo().filter(request.id()::equals).isPresent()
                    ? new Outcome.Answered<>(accepted)
                    : refused(Reason.IN_RESPONSE_TO, "the answer is to another request");
            case Reading.Refused<A>(SamlRefusal refusal) when status == 200 || isFault(refusal) ->
                new Outcome.Refused<>(refusal);
            case Reading<A> other -> new Outcome.Unreachable<>("answers with status " + status);
          };
    };
  }

  /** Faults come with status 500 (SOAP 1.1, section 6.2). */
  private static boolean isFault(SamlRefusal refusal) {
    return refusal.reason() == Reason.SOAP_FAULT;
  }

  private static PartnerLookup only(PartnerMetadata partner) {
    return issuer ->
        issuer.equals(partner.entityId())
            ? new Reading.Accepted<>(partner)
            : new Reading.Refused<>(
                new SamlRefusal(Reason.ISSUER_MISMATCH, "the answer is of another Issuer than was asked"));
  }

  private static <M extends SamlMessage> Outcome<M> mapped(Outcome<Received<M>> outcome) {
    return switch (outcome) {
      case Outcome.Answered<Received<M>>(Received<M> received) -> new Outcome.Answered<>(received.message());
      case Outcome.Refused<Received<M>>(SamlRefusal refusal) -> new Outcome.Refused<>(refusal);
      case Outcome.Unreachable<Received<M>>(String problem) -> new Outcome.Unreachable<>(problem);
    };
  }

  private static <A> Outcome<A> refused(Reason reason, String detail) {
    return new Outcome.Refused<>(new SamlRefusal(reason, detail));
  }
}
