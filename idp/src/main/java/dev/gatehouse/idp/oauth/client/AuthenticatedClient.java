package dev.gatehouse.idp.oauth.client;

import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Confirmation;
import dev.gatehouse.idp.oauth.PendingQuota.Holder;
import java.util.Optional;

/**
 * A client that authenticated, or a public client that identified itself.
 *
 * @param certificate the certificate that it presented, whatever the method; tokens are bound to it
 */
public record AuthenticatedClient(Client client, Method method, Optional<Confirmation.Certificate> certificate) {

  /** The holder whose quota the client's stored data count towards. */
  public Holder holder(RealmRequest request) {
    return method == Method.NONE
        ? Holder.network(request.http().client())
        : Holder.client(request.realm().name(), client.id());
  }
}
