package dev.gatehouse.idp.oauth.client;

import dev.gatehouse.common.realm.Realm;
import java.util.Optional;

/** The realm's clients: those of its configuration together with those that registered at run time. */
@FunctionalInterface
public interface Clients {

  /** A configured one stands before a registered one of the same ID. Asked at every use, so that changes count at once. */
  Optional<Client> find(Realm realm, String clientId);
}
