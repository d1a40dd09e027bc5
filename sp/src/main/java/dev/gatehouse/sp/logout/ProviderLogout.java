package dev.gatehouse.sp.logout;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.logout.Receipt.Outcome;
import dev.gatehouse.sp.session.AppSession;

/** Asks the identity provider of a session that has ended here to end its own, by the protocol that it speaks. */
@FunctionalInterface
public interface ProviderLogout {

  /** What came of asking. */
  sealed interface Asking {
    /** The browser carries the question. */
    record OnItsWay(EdgeReply reply) implements Asking {}

    /** It was asked from server to server, or cannot be asked. */
    record Known(Outcome outcome) implements Asking {}
  }

  Asking ask(SpRealm realm, EdgeRequest request, AppSession ended);
}
