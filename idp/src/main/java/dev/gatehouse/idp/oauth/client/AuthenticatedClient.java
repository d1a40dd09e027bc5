package dev.gatehouse.idp.oauth.client;

import dev.gatehouse.common.realm.ClientConfig.Method;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.Confirmation;
import dev.gatehouse.idp.oauth.PendingQuota.Holder;
import java.util.Optional;

/**
 * A client that proved who it is, or a public one that said so.
 *
 * @param certificate that it came with, whatever the method; tokens are bound to it
 */
public record AuthenticatedClient(Client client, Method method, Optional<Confirmation.Certificate> certificate) {

  /** Whose share counts of what is stored for it. */
  public Holder holder(RealmRequest request) {
    return method == Method.NONE
        ? Holder.network(request.http().client())
        : Holder.client(request.realm().name(), client.id());
  }
}
