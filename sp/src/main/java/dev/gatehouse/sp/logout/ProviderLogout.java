package dev.gatehouse.sp.logout;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.logout.Receipt.Outcome;
import dev.gatehouse.sp.session.AppSession;

/** Asks the identity provider of a session that has ended here to end its own, with the protocol of that provider. */
@FunctionalInterface
public interface ProviderLogout {

  /** The result of asking. */
  sealed interface Asking {
    /** The browser carries the request. */
    record OnItsWay(EdgeReply reply) implements Asking {}

    /** The request was sent from server to server, or could not be sent. */
    record Known(Outcome outcome) implements Asking {}
  }

  Asking ask(SpRealm realm, EdgeRequest request, AppSession ended);
}
