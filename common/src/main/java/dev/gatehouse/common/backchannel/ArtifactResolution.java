package dev.gatehouse.common.backchannel;

import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlIds;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.Artifact;
import dev.gatehouse.common.saml.message.Received;
import dev.gatehouse.common.saml.message.SamlMessage.ArtifactResolve;
import dev.gatehouse.common.saml.message.SamlMessage.ArtifactResponse;
import dev.gatehouse.common.saml.message.SamlReader;
import dev.gatehouse.common.saml.message.SamlReader.PartnerLookup;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.saml.message.WrittenMessage;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Our ArtifactResolutionService (SAML Core 3.5, Profiles 5): gives stored messages to the partners for which they are intended, which
 * are authenticated by their signature. A partner without the right to a message gets Success without one, whatever the reason (SAML
 * Core 3.5.3); any other caller gets a Fault.
 */
public final class ArtifactResolution {

  /**
   * Our own part.
   *
   * @param location of this endpoint, as in our metadata
   */
  public record As(String entityId, String location, SigningKey key) {}

  /**
   * The answer to a request.
   *
   * @param partner the caller, if it was authenticated
   * @param refusal why no message was given, for audit
   */
  public record Answer(EdgeReply reply, Optional<String> partner, Optional<SamlRefusal> refusal) {}

  private final SamlReader reader;
  private final SoapReplies replies;
  private final ArtifactMap held;
  private final InstantSource clock;
  private final RandomGenerator random;

  public ArtifactResolution(
      SamlReader reader, SamlWriter writer, ArtifactMap held, InstantSource clock, RandomGenerator random) {
    this.reader = reader;
    this.replies = new SoapReplies(writer);
    this.held = held;
    this.clock = clock;
    this.random = random;
  }

  public Answer answer(EdgeRequest request, As self, PartnerLookup partners) {
    return switch (reader.artifactResolve(request, partners)) {
      case Result.Refused(SamlRefusal refusal) ->
          new Answer(replies.refused(), Optional.empty(), Optional.of(refusal));
      case Result.Accepted(var received) -> answer(received.message(), self);
    };
  }

  private Answer answer(ArtifactResolve resolve, As self) {
    Optional<String> partner = Optional.of(resolve.issuer());
    if (resolve.destination().filter(destination -> !destination.equals(self.location())).isPresent()) {
      SamlRefusal misdirected = new SamlRefusal(Reason.DESTINATION, "the ArtifactResolve is meant for another place");
      return new Answer(replies.refused(), partner, Optional.of(misdirected));
    }
    Result<WrittenMessage, SamlRefusal> taken =
        switch (Artifact.parse(resolve.artifact())) {
          case Result.Accepted(Artifact artifact) -> held.take(artifact, resolve.issuer());
          case Result.Refused(SamlRefusal refusal) -> new Result.Refused<>(refusal);
        };
    return switch (taken) {
      case Result.Accepted(WrittenMessage message) ->
          new Answer(reply(resolve, self, Optional.of(message)), partner, Optional.empty());
      case Result.Refused(SamlRefusal refusal) ->
          new Answer(reply(resolve, self, Optional.empty()), partner, Optional.of(refusal));
    };
  }

  private EdgeReply reply(ArtifactResolve resolve, As self, Optional<WrittenMessage> message) {
    ArtifactResponse response =
        new ArtifactResponse(
            SamlIds.create(random),
            clock.instant(),
            self.entityId(),
            Optional.empty(),
            Optional.of(resolve.id()),
            SamlStatus.success());
    return replies.artifactResponse(response, message, self.key());
  }
}
