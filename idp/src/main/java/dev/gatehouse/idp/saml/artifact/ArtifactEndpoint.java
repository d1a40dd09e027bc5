package dev.gatehouse.idp.saml.artifact;

import dev.gatehouse.common.backchannel.ArtifactResolution;
import dev.gatehouse.common.backchannel.ArtifactResolution.Answer;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.saml.SpPartners;

/** Our ArtifactResolutionService: hands service providers, by SOAP, the messages that we hold for them. */
public final class ArtifactEndpoint implements Endpoint {

  private final ArtifactResolution resolution;
  private final ArtifactNode node;
  private final SpPartners partners;
  private final KeyRings keys;
  private final Refusals refusals;

  public ArtifactEndpoint(
      ArtifactResolution resolution, ArtifactNode node, SpPartners partners, KeyRings keys, Refusals refusals) {
    this.resolution = resolution;
    this.node = node;
    this.partners = partners;
    this.keys = keys;
    this.refusals = refusals;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    ArtifactResolution.As self =
        new ArtifactResolution.As(
            request.entityId(), node.location(request), keys.of(request.realm()).current(KeyUse.IDP_SIGNING));
    Answer answer = resolution.answer(request.http(), self, partners.lookup(request.realm().name()));
    answer
        .refusal()
        .ifPresent(why -> refusals.audited(request, answer.partner().orElse("-"), "ArtifactResolve", why));
    return answer.reply().with("Cache-Control", "no-cache, no-store").with("Pragma", "no-cache");
  }
}
