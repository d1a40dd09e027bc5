package dev.gatehouse.common.backchannel;

import dev.gatehouse.common.crypto.DecryptionKey;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.registry.Partner;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlIds;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Artifact;
import dev.gatehouse.common.saml.message.Received;
import dev.gatehouse.common.saml.message.ReceivedArtifact;
import dev.gatehouse.common.saml.message.ReceivedArtifactResponse;
import dev.gatehouse.common.saml.message.ReceivedResponse;
import dev.gatehouse.common.saml.message.SamlMessage;
import dev.gatehouse.common.saml.message.SamlMessage.ArtifactResolve;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.IndexedEndpoint;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Fetches the messages to which partners' artifacts refer (SAML Bindings 3.6, Profiles 5). Only the artifact decides which partner and
 * endpoint is called, by SourceID and EndpointIndex in the metadata of the realm's partners; nothing else is tried.
 *
 * <p>An artifact that was resolved before is refused without a call (SAML Bindings 3.6.5.2). Anybody can invent artifacts of a partner.
 * Those leave no replay mark, because a mark is written only when the partner returned a message. The number of parallel calls to each
 * partner is limited; further calls wait until their timeout.
 */
public final class ArtifactResolver {

  private static final int MAX_AT_ONCE = 100;

  /** Longer than any issuer stores an artifact. */
  private static final Duration BLOCKED = Duration.ofMinutes(10);

  /**
   * Our own part.
   *
   * @param decryption our keys, for encrypted elements of the message
   * @param timeout from the call to the last byte of the partner's response
   */
  public record As(
      String realm, String entityId, SigningKey key, Supplier<List<DecryptionKey>> decryption, Duration timeout) {}

  private record Source(PartnerMetadata partner, IndexedEndpoint endpoint) {}

  private final PartnerRegistry partners;
  private final SoapCall calls;
  private final ReplayCache replay;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final Map<String, Semaphore> underWay = new ConcurrentHashMap<>();

  public ArtifactResolver(
      PartnerRegistry partners, SoapCall calls, ReplayCache replay, InstantSource clock, RandomGenerator random) {
    this.partners = partners;
    this.calls = calls;
    this.replay = replay;
    this.clock = clock;
    this.random = random;
  }

  /** Returns the Response of an identity provider, with the same requirements on signatures as by POST. */
  public Result<ReceivedResponse, SamlRefusal> response(ReceivedArtifact received, As self) {
    return resolve(
        received,
        self,
        partner -> partner.idp().map(role -> role.sso().artifactResolution()),
        message ->
            message instanceof SamlMessage.Response response
                ? Optional.of(new ReceivedResponse(response, true, Binding.ARTIFACT, received.relayState()))
                : Optional.empty());
  }

  /** Returns the AuthnRequest of a service provider; it must be signed. */
  public Result<Received<SamlMessage.AuthnRequest>, SamlRefusal> authnRequest(ReceivedArtifact received, As self) {
    return resolve(
        received,
        self,
        partner -> partner.sp().map(role -> role.sso().artifactResolution()),
        message ->
            message instanceof SamlMessage.AuthnRequest request
                ? Optional.of(new Received<>(request, Binding.ARTIFACT, true, received.relayState()))
                : Optional.empty());
  }

  private <M> Result<M, SamlRefusal> resolve(
      ReceivedArtifact received,
      As self,
      Function<PartnerMetadata, Optional<List<IndexedEndpoint>>> endpoints,
      Function<SamlMessage, Optional<M>> expected) {
    Artifact artifact = received.artifact();
    return switch (source(artifact, self.realm(), endpoints)) {
      case Result.Refused(SamlRefusal refusal) -> new Result.Refused<>(refusal);
      case Result.Accepted(Source source) ->
          switch (message(artifact, source, self)) {
            case Result.Refused(SamlRefusal refusal) -> new Result.Refused<>(refusal);
            case Result.Accepted(SamlMessage message) ->
                expected
                    .apply(message)
                    .<Result<M, SamlRefusal>>map(Result.Accepted::new)
                    .orElseGet(() -> refused(Reason.UNEXPECTED_MESSAGE, "the artifact stands for another message"));
          };
    };
  }

  private Result<Source, SamlRefusal> source(
      Artifact artifact, String realm, Function<PartnerMetadata, Optional<List<IndexedEndpoint>>> endpoints) {
    Optional<Partner> partner = partners.bySourceId(realm, artifact.sourceId());
    if (partner.isEmpty()) {
      return refused(Reason.ARTIFACT_SOURCE_UNKNOWN, "no partner of this realm has the artifact's SourceID");
    }
    return switch (partners.metadata(realm, partner.get().entityId())) {
      case Result.Refused(SamlRefusal refusal) -> new Result.Refused<>(refusal);
      case Result.Accepted(PartnerMetadata metadata) ->
          endpoints.apply(metadata).orElse(List.of()).stream()
              .filter(e -> e.index() == artifact.endpointIndex() && e.binding() == Binding.SOAP)
              .findFirst()
              .<Result<Source, SamlRefusal>>map(endpoint -> new Result.Accepted<>(new Source(metadata, endpoint)))
              .orElseGet(
                  () ->
                      refused(
                          Reason.ARTIFACT_ENDPOINT_UNKNOWN,
                          "the partner has no artifact resolution of index " + artifact.endpointIndex()));
    };
  }

  private Result<SamlMessage, SamlRefusal> message(Artifact artifact, Source source, As self) {
    long deadline = System.nanoTime() + self.timeout().toNanos();
    Semaphore free = underWay.computeIfAbsent(source.partner().entityId(), p -> new Semaphore(MAX_AT_ONCE));
    if (!acquired(free, self.timeout())) {
      return refused(Reason.BACK_CHANNEL_FAILED, MAX_AT_ONCE + " artifacts of this partner are being resolved");
    }
    try {
      if (replay.isMarked(mark(artifact, source, self))) {
        return refused(Reason.REPLAYED, "the artifact came before");
      }
      Result<SamlMessage, SamlRefusal> message =
          message(call(artifact, source, self, Duration.ofNanos(Math.max(0, deadline - System.nanoTime()))));
      return message instanceof Result.Accepted<SamlMessage, SamlRefusal> && !isFirst(artifact, source, self)
          ? refused(Reason.REPLAYED, "the artifact came before")
          : message;
    } finally {
      free.release();
    }
  }

  private static boolean acquired(Semaphore free, Duration timeout) {
    try {
      return free.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private boolean isFirst(Artifact artifact, Source source, As self) {
    return replay.firstSeen(mark(artifact, source, self), clock.instant().plus(BLOCKED));
  }

  private static ReplayKey mark(Artifact artifact, Source source, As self) {
    return new ReplayKey(self.realm(), source.partner().entityId(), "artifact " + ArtifactMap.key(artifact));
  }

  private SoapCall.Outcome<ReceivedArtifactResponse> call(
      Artifact artifact, Source source, As self, Duration timeout) {
    String location = source.endpoint().location();
    ArtifactResolve request =
        new ArtifactResolve(
            SamlIds.create(random), clock.instant(), self.entityId(), Optional.of(location), artifact.value());
    return calls.resolve(
        request,
        new SoapCall.To(source.partner(), location, self.key(), Optional.empty(), timeout),
        self.decryption());
  }

  private static Result<SamlMessage, SamlRefusal> message(SoapCall.Outcome<ReceivedArtifactResponse> outcome) {
    return switch (outcome) {
      case SoapCall.Outcome.Unreachable<ReceivedArtifactResponse>(String problem) ->
          refused(Reason.BACK_CHANNEL_FAILED, problem);
      case SoapCall.Outcome.Refused<ReceivedArtifactResponse>(SamlRefusal refusal) -> new Result.Refused<>(refusal);
      case SoapCall.Outcome.Answered<ReceivedArtifactResponse>(var answer) -> {
        if (!answer.response().status().isSuccess()) {
          yield refused(Reason.ARTIFACT_UNRESOLVED, "the partner answers " + answer.response().status().code());
        }
        yield answer
            .message()
            .<Result<SamlMessage, SamlRefusal>>map(Result.Accepted::new)
            .orElseGet(() -> refused(Reason.ARTIFACT_UNRESOLVED, "the partner holds nothing under the artifact"));
      }
    };
  }

  private static <T> Result<T, SamlRefusal> refused(Reason reason, String detail) {
    return new Result.Refused<>(new SamlRefusal(reason, detail));
  }
}
