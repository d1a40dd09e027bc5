package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.throttle.QuotaAccount.Admission;
import dev.gatehouse.idp.authn.PendingRequests;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.PendingQuota;
import dev.gatehouse.idp.oauth.client.AuthenticatedClient;
import dev.gatehouse.idp.oauth.client.Client;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Requests that clients pushed (RFC 9126, section 2.2). A browser may bring one until it expires; after that the
 * browser carries the waiting request. Answering a request removes it, and writes a mark that lasts until the last page at
 * which the request may wait has expired, so that it cannot be answered twice.
 */
final class PushedRequests {

  /** The name of the store. */
  static final String STORE = "oauth-pushed-requests";

  private static final String ANSWERED = "oauth-pushed-answered";
  /** The longest time that can be configured for {@code pushedLife}, plus the longest time that a request can wait. */
  private static final Duration MARK_LIFE = PendingRequests.MARK_LIFE.plus(Duration.ofMinutes(10));

  private static final JsonCodec<PushedRequest> CODEC = new JsonCodec<>(PushedRequest.class);

  private static final String PREFIX = "urn:ietf:params:oauth:request_uri:";

  /**
   * A request that was found.
   *
   * @param key for {@link #answer}
   */
  record Found(String key, RequestParameters parameters) {}

  /** A place for a request; it counts from now on. */
  sealed interface Place {
    record Reserved(SessionToken reference, PushedRequest request) implements Place {}

    record Full(Duration retryAfter) implements Place {}
  }

  private final SingleUseStore<PushedRequest> store;
  private final SingleUseStore<String> answered;
  private final PendingQuota quota;
  private final InstantSource clock;
  private final RandomGenerator random;

  PushedRequests(Stores stores, PendingQuota quota, InstantSource clock, RandomGenerator random) {
    this.store = stores.singleUse(STORE, CODEC);
    this.answered = stores.singleUse(ANSWERED, new JsonCodec<>(String.class));
    this.quota = quota;
    this.clock = clock;
    this.random = random;
  }

  /** Returns whether a {@code request_uri} has the form of ours. */
  static boolean isPushed(String requestUri) {
    return requestUri.startsWith(PREFIX);
  }

  /** Reserves as many bytes as the request will take in the store. */
  Place reserve(RealmRequest request, AuthenticatedClient client, RequestParameters parameters) {
    SessionToken reference = SessionToken.create(random);
    Instant expiresAt = clock.instant().plus(request.idp().oauth().pushedLife());
    PushedRequest value = new PushedRequest(request.realm().name(), client.client().id(), parameters, expiresAt);
    int bytes = CODEC.encode(value).length;
    return switch (quota.admit(reference.id().value(), client.holder(request), bytes, expiresAt)) {
      case Admission.Full(List<String> displaced, Duration retryAfter) -> {
        displaced.forEach(store::discard);
        yield new Place.Full(retryAfter);
      }
      case Admission.Admitted(List<String> displaced) -> {
        displaced.forEach(store::discard);
        yield new Place.Reserved(reference, value);
      }
    };
  }

  /** Gives back a place that no request takes. */
  void giveBack(Place.Reserved place) {
    quota.release(place.reference().id().value());
  }

  /** @return the {@code request_uri} */
  String put(Place.Reserved place) {
    store.put(place.reference().id().value(), place.request(), place.request().expiresAt());
    return PREFIX + place.reference().value();
  }

  /**
   * Looks without taking; empty if it is unknown, has expired, was answered, or belongs to another client. Does not look for
   * the mark: where a request outlived its answer because the node died in between, {@link #answer} refuses it.
   */
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

  /** For an answer to somebody who is logged in; gives the place back. Returns true to exactly one caller. */
  boolean answer(String key) {
    boolean isFirst = answerForNobody(key);
    if (isFirst) {
      quota.release(key);
    }
    return isFirst;
  }

  /**
   * Like {@link #answer}, for an error where nobody is logged in. The place stays taken until the request would have expired:
   * otherwise a stranger could push requests and have them answered, and leave marks without limit.
   */
  boolean answerForNobody(String key) {
    try {
      answered.put(key, "", clock.instant().plus(MARK_LIFE));
    } catch (IllegalStateException e) {
      return false;
    }
    store.discard(key);
    return true;
  }
}
