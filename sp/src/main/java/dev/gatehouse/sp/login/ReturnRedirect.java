package dev.gatehouse.sp.login;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.edge.SpRealm;
import java.time.Duration;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * Redirects a person with a session at the home origin to the page that they wanted; to another origin with a ticket.
 */
public final class ReturnRedirect {

  static final String TICKET_PATH = SpPaths.PREFIX + "ticket";

  private static final Duration TICKET_LIFE = Duration.ofMinutes(1);

  private final SingleUseStore<Ticket> tickets;
  private final InstantSource time;
  private final RandomGenerator random;

  public ReturnRedirect(Stores stores, InstantSource time, RandomGenerator random) {
    this.tickets = stores.singleUse("sp-ticket", Ticket.CODEC);
    this.time = time;
    this.random = random;
  }

  /** Returns a 303 redirect to the target. */
  public EdgeReply redirect(SpRealm realm, ReturnTarget target, SessionId session) {
    // Without a nonce, the other origin redirects to the home origin by itself and brings a nonce.
    if (target.origin().equals(realm.home()) || target.nonceHash().isEmpty()) {
      return EdgeReply.seeOther(target.url());
    }
    String key = SessionToken.create(random).value();
    tickets.put(key, new Ticket(target, session), time.instant().plus(TICKET_LIFE));
    return EdgeReply.seeOther(target.origin() + TICKET_PATH + "?ticket=" + key);
  }

  SingleUseStore<Ticket> tickets() {
    return tickets;
  }
}
