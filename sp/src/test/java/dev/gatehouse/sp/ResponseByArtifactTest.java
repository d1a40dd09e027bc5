package dev.gatehouse.sp;

import dev.gatehouse.common.saml.SamlRefusal.Reason;

final class ResponseByArtifactTest extends ResponseAttackContract {

  ResponseByArtifactTest() {
    super(SpWorld.Delivery.ARTIFACT);
  }

  /** It is not who sent the ArtifactResponse. */
  @Override
  Reason strangeIssuer() {
    return Reason.ISSUER_MISMATCH;
  }
}
