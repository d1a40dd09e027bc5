package dev.gatehouse.sp;

import dev.gatehouse.common.saml.SamlRefusal.Reason;

final class ResponseByPostTest extends ResponseAttackContract {

  ResponseByPostTest() {
    super(SpWorld.Delivery.POST);
  }

  @Override
  Reason strangeIssuer() {
    return Reason.PARTNER_UNKNOWN;
  }
}
