package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.Take;
import dev.gatehouse.idp.authn.PendingLimit;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.client.Client;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Requests that clients pushed (RFC 9126, section 2.2). A browser may bring one until it expires, and it is taken when it is
 * answered: kept until the last page that it may wait at is over, so that no second answer slips through.
 */
final class PushedRequests {

  /** The name of the store. */
  static final String STORE = "oauth-pushed-requests";

  private static final String PREFIX = "urn:ietf:params:oauth:request_uri:";

  /** One that was found. @param key for {@link #take} */
  record Found(String key, RequestParameters parameters) {}

  private final SingleUseStore<PushedRequest> store;
  private final InstantSource clock;
  private final RandomGenerator random;

  PushedRequests(Stores stores, InstantSource clock, RandomGenerator random) {
    this.store = stores.singleUse(STORE, new JsonCodec<>(PushedRequest.class));
    this.clock = clock;
    this.random = random;
  }

  /** Whether a {@code request_uri} is one of ours, by its look. */
  static boolean isPushed(String requestUri) {
    return requestUri.startsWith(PREFIX);
  }

  /** @return the {@code request_uri} */
  String put(RealmRequest request, Client client, RequestParameters parameters) {
    SessionToken reference = SessionToken.create(random);
    Instant expiresAt = clock.instant().plus(request.idp().oauth().pushedLife());
    store.put(
        reference.id().value(),
        new PushedRequest(request.realm().name(), client.id(), parameters, expiresAt),
        expiresAt.plus(PendingLimit.LIFE));
    return PREFIX + reference.value();
  }

  /** Looks without taking; empty where it expired, was answered, never was, or is another client's. */
  Optional<Found> find(RealmRequest request, Client client, String requestUri) {
    return SessionToken.parse(requestUri.substring(PREFIX.length()))
        .map(reference -> reference.id().value())
        .flatMap(
            key ->
                store
                    .peek(key)
                    .filter(pushed -> pushed.realm().equals(request.realm().name()))
                    .filter(pushed -> pushed.clientId().equals(client.id()))
                    .filter(pushed -> clock.instant().isBefore(pushed.expiresAt()))
                    .map(pushed -> new Found(key, pushed.parameters())));
  }

  /** True for exactly one caller. */
  boolean take(String key) {
    return store.take(key) instanceof Take.First;
  }
}
