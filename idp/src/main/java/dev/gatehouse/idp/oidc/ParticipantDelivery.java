package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.logout.LogoutDelivery;
import dev.gatehouse.common.logout.LogoutDeliveryResult;
import dev.gatehouse.common.logout.LogoutNotice;
import dev.gatehouse.idp.session.IdpSession.Participant;

/** Delivers logout notices to clients and to service providers, each with its own protocol. */
public record ParticipantDelivery(LogoutDelivery clients, LogoutDelivery serviceProviders) implements LogoutDelivery {

  @Override
  public LogoutDeliveryResult deliver(String realm, LogoutNotice notice) {
    return (Participant.isClient(notice.nameId()) ? clients : serviceProviders).deliver(realm, notice);
  }
}
