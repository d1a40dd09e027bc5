package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.logout.LogoutDelivery;
import dev.gatehouse.common.logout.LogoutDeliveryResult;
import dev.gatehouse.common.logout.LogoutNotice;
import dev.gatehouse.idp.authn.IdpSession.Participant;

/** Tells clients in their way and service providers in theirs. */
public record ParticipantDelivery(LogoutDelivery clients, LogoutDelivery serviceProviders) implements LogoutDelivery {

  @Override
  public LogoutDeliveryResult deliver(String realm, LogoutNotice notice) {
    return (Participant.isClient(notice.nameId()) ? clients : serviceProviders).deliver(realm, notice);
  }
}
