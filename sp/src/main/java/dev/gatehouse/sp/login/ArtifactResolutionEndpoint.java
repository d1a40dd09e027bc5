package dev.gatehouse.sp.login;

import dev.gatehouse.common.backchannel.ArtifactResolution;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.sp.edge.IdentityProviders;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpRealm;

/**
 * {@code POST /.gatehouse/saml/artifact}, at the home origin and at each node's own origin. Hands identity providers
 * the AuthnRequests whose artifacts they received (ArtifactResolutionService; SAML Profiles 5).
 */
public final class ArtifactResolutionEndpoint {

  private final ArtifactResolution resolution;
  private final PartnerRegistry partners;
  private final KeyRings keyRings;
  private final int node;
  private final Refusals refusals;

  /** @param node index of this node */
  public ArtifactResolutionEndpoint(
      ArtifactResolution resolution, PartnerRegistry partners, KeyRings keyRings, int node, Refusals refusals) {
    this.resolution = resolution;
    this.partners = partners;
    this.keyRings = keyRings;
    this.node = node;
    this.refusals = refusals;
  }

  public EdgeReply handle(SpRealm realm, EdgeRequest request) {
    if (!request.method().equals("POST")) {
      return refusals.methodNotAllowed(realm, request, "POST");
    }
    ArtifactResolution.As self =
        new ArtifactResolution.As(
            realm.sp().entityId(),
            realm.artifactResolution(node),
            keyRings.of(realm.realm()).current(KeyUse.SP_SIGNING));
    ArtifactResolution.Answer answer =
        resolution.answer(request, self, issuer -> IdentityProviders.metadata(partners, realm, issuer));
    answer
        .refusal()
        .ifPresent(
            refusal ->
                refusals.audited(realm, request, answer.partner().orElse("-"), "ArtifactResolve", refusal));
    return answer.reply();
  }
}
