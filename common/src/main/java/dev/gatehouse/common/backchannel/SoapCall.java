package dev.gatehouse.common.backchannel;

import dev.gatehouse.common.crypto.DecryptionKey;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Loopback;
import dev.gatehouse.common.http.OutboundHttp;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.encryption.Encryption;
import dev.gatehouse.common.saml.message.Received;
import dev.gatehouse.common.saml.message.ReceivedArtifactResponse;
import dev.gatehouse.common.saml.message.SamlMessage;
import dev.gatehouse.common.saml.message.SamlMessage.ArtifactResolve;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutResponse;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdRequest;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdResponse;
import dev.gatehouse.common.saml.message.SamlMessage.StatusResponse;
import dev.gatehouse.common.saml.message.SamlReader;
import dev.gatehouse.common.saml.message.SamlReader.PartnerLookup;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.trace.RequestTrace;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Sends signed requests to a partner's SOAP endpoint and reads the signed responses (SAML Bindings 3.2). A response is accepted if a
 * key of that partner's metadata has signed it, its Issuer is that partner and it answers this very request. Its Destination is ignored,
 * since it came on the connection that we opened. Blocks until the deadline at most. Each call has a span in the trace of the request.
 */
public final class SoapCall {

  /** The same limit as for any message (SAML requests and responses are below 20 KB). */
  private static final int MAX_BYTES = 256 << 10;

  private static final Headers HEADERS =
      Headers.of("Content-Type", "text/xml; charset=utf-8")
          .and("Accept", "text/xml")
          .and("Cache-Control", "no-cache, no-store")
          .and("Pragma", "no-cache")
          .and("SOAPAction", "\"http://www.oasis-open.org/committees/security\"");

  /**
   * The target of a call.
   *
   * @param location of the partner's SOAP endpoint, from its metadata
   * @param key signs the request
   * @param encryption for elements encrypted to this partner
   * @param timeout from the call to the last byte of the response
   */
  public record To(
      PartnerMetadata partner, String location, SigningKey key, Optional<Encryption> encryption, Duration timeout) {}

  /** The result of a call. */
  public sealed interface Outcome<A> {
    /** The response was verified; its Status contains the partner's decision. */
    record Answered<A>(A answer) implements Outcome<A> {}

    /** The partner's response cannot be accepted; a repetition is useless. */
    record Refused<A>(SamlRefusal refusal) implements Outcome<A> {}

    /**
     * There was no response in time; there may be one later.
     *
     * @param problem for logs and administrators
     */
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

  /** Requests single logout (SAML Profiles 4.4.3.2). */
  public Outcome<LogoutResponse> logout(LogoutRequest request, To to) {
    return mapped(call(request, to, only(to.partner()), reader::logoutResponse, Received::message));
  }

  /** Requests the change or the end of a name (SAML Profiles 4.5.2). */
  public Outcome<ManageNameIdResponse> manageNameId(ManageNameIdRequest request, To to) {
    return mapped(call(request, to, only(to.partner()), reader::manageNameIdResponse, Received::message));
  }

  /**
   * Requests the message to which an artifact refers (SAML Profiles 5).
   *
   * @param decryption our keys, for encrypted elements of the message
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
      BiFunction<byte[], PartnerLookup, Result<A, SamlRefusal>> read,
      Function<A, ? extends StatusResponse> answer) {
    URI location = URI.create(to.location());
    return RequestTrace.inSpan(
        "saml soap call",
        SpanKind.CLIENT,
        span -> {
          Outcome<A> outcome = call(request, to, location, partner, read, answer);
          if (span.isRecording()) {
            describe(span, request, location, outcome);
          }
          return outcome;
        });
  }

  private static void describe(Span span, SamlMessage request, URI location, Outcome<?> outcome) {
    span.setAttribute("gatehouse.saml.message", request.getClass().getSimpleName());
    span.setAttribute("server.address", String.valueOf(location.getHost()));
    switch (outcome) {
      case Outcome.Answered<?> answered -> {}
      case Outcome.Refused<?>(SamlRefusal refusal) -> span.setAttribute("gatehouse.refusal", refusal.reason().name());
      case Outcome.Unreachable<?> unreachable -> span.setAttribute("error.type", "unreachable").setStatus(StatusCode.ERROR);
    }
  }

  private <A> Outcome<A> call(
      SamlMessage request,
      To to,
      URI location,
      PartnerLookup partner,
      BiFunction<byte[], PartnerLookup, Result<A, SamlRefusal>> read,
      Function<A, ? extends StatusResponse> answer) {
    if (!"https".equalsIgnoreCase(location.getScheme()) && !Loopback.isName(location.getHost())) {
      return new Outcome.Unreachable<>("its endpoint is not https");
    }
    byte[] envelope = to.encryption().map(writer::encrypting).orElse(writer).soap(request, to.key());
    return switch (http.post(location, HEADERS, envelope, to.timeout(), MAX_BYTES)) {
      case OutboundHttp.Answer.Failed(var cause, String problem) -> new Outcome.Unreachable<>(problem);
      case OutboundHttp.Answer.Received(int status, byte[] body, var redirect) ->
          switch (read.apply(body, partner)) {
            case Result.Accepted(A accepted) when status == 200 ->
                answer.apply(accepted).inResponseTo().filter(request.id()::equals).isPresent()
                    ? new Outcome.Answered<>(accepted)
                    : refused(Reason.IN_RESPONSE_TO, "the answer is to another request");
            case Result.Refused(SamlRefusal refusal) when status == 200 || isFault(refusal) ->
                new Outcome.Refused<>(refusal);
            case Result<A, SamlRefusal> other -> new Outcome.Unreachable<>("answers with status " + status);
          };
    };
  }

  /** Returns whether the refusal is a Fault; Faults come with status 500 (SOAP 1.1, section 6.2). */
  private static boolean isFault(SamlRefusal refusal) {
    return refusal.reason() == Reason.SOAP_FAULT;
  }

  private static PartnerLookup only(PartnerMetadata partner) {
    return issuer ->
        issuer.equals(partner.entityId())
            ? new Result.Accepted<>(partner)
            : new Result.Refused<>(
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
