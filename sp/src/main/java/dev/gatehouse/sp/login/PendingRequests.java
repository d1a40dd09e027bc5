package dev.gatehouse.sp.login;

import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.Take;
import dev.gatehouse.sp.edge.BrowserKey;
import dev.gatehouse.sp.edge.Digests;
import dev.gatehouse.sp.edge.SpRealm;
import java.time.Duration;
import java.util.Optional;

/** The AuthnRequests that wait for an answer, for as long as somebody may sit before a login page. */
public final class PendingRequests {

  /** How long a login may take. */
  public static final Duration LIFE = Duration.ofHours(1);

  private final SingleUseStore<PendingRequest> store;

  public PendingRequests(Stores stores) {
    this.store = stores.singleUse("sp-pending", PendingRequest.CODEC);
  }

  public void put(PendingRequest pending) {
    store.put(pending.id(), pending, pending.createdAt().plus(LIFE));
  }

  /** Looks without consuming. */
  public Optional<PendingRequest> peek(String id) {
    return store.peek(id);
  }

  /** Consumes it; also tells an answered request from an unknown one. */
  public Take<PendingRequest> take(String id) {
    return store.take(id);
  }

  /** What this browser wanted when it sent that request; empty for any other browser. */
  Optional<LoginWish> wishOf(SpRealm realm, EdgeRequest request, String id) {
    Optional<BrowserKey> browser = BrowserKey.of(realm, request);
    return store
        .peek(id)
        .filter(pending -> pending.realm().equals(realm.name()))
        .filter(pending -> browser.filter(own -> Digests.equal(own.hash(), pending.browser())).isPresent())
        .map(PendingRequest::wish);
  }
}
