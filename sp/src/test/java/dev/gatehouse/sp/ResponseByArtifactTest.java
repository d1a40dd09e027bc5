package dev.gatehouse.sp;

import dev.gatehouse.common.saml.SamlRefusal.Reason;

final class ResponseByArtifactTest extends ResponseAttackContract {

  ResponseByArtifactTest() {
    super(SpWorld.Delivery.ARTIFACT);
  }

  /** The Issuer is not the sender of the ArtifactResponse. */
  @Override
  Reason strangeIssuer() {
    return Reason.ISSUER_MISMATCH;
  }
}
