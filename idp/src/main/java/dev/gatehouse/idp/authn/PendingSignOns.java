package dev.gatehouse.idp.authn;

import dev.gatehouse.idp.endpoint.RealmRequest;
import java.util.Optional;

/** The sign-ons that wait for a login, of any protocol. */
@FunctionalInterface
public interface PendingSignOns {

  /** Looks without taking; empty if the sign-on expired, was answered, or is unknown. */
  Optional<PendingSignOn> find(RealmRequest request, String key);

  /** Combines both collections. Keys are random, so they do not collide. */
  default PendingSignOns or(PendingSignOns others) {
    return (request, key) -> find(request, key).or(() -> others.find(request, key));
  }
}
