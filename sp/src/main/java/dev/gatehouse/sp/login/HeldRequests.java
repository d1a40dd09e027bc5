package dev.gatehouse.sp.login;

import dev.gatehouse.common.backchannel.ArtifactMap;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.saml.message.Artifact;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.saml.message.WrittenMessage;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpRealm;
import java.time.Duration;
import java.util.Optional;

/** The AuthnRequests that we hold until identity providers fetch them (SAML Bindings 3.6), within limits per client network. */
final class HeldRequests {

  private final ArtifactMap held;
  private final int node;
  private final SamlWriter writer;
  private final Refusals refusals;

  /** @param node index of this node */
  HeldRequests(ArtifactMap held, int node, SamlWriter writer, Refusals refusals) {
    this.held = held;
    this.node = node;
    this.writer = writer;
    this.refusals = refusals;
  }

  /** Redirects with an artifact. The message itself is unsigned: the ArtifactResponse around it is signed. */
  EdgeReply redirect(
      SpRealm realm, EdgeRequest request, AuthnRequest message, String partner, String location) {
    WrittenMessage written = writer.write(message);
    return switch (held.holdFor(request.client(), realm.sp().entityId(), node, partner, written)) {
      case ArtifactMap.Holding.Held(Artifact artifact) ->
          EdgeReply.seeOther(writer.redirect(artifact, location, Optional.of(message.id())));
      case ArtifactMap.Holding.Full(Duration retryAfter) -> refusals.tooManyWaiting(realm, request, 503, retryAfter);
    };
  }
}
