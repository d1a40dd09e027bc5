package dev.gatehouse.idp.authn;

import dev.gatehouse.idp.endpoint.RealmRequest;
import java.util.Optional;

/** The sign-ons that wait for a login, of whatever protocol. */
@FunctionalInterface
public interface PendingSignOns {

  /** Looks without taking; empty where it expired, was answered or never was. */
  Optional<PendingSignOn> find(RealmRequest request, String key);

  /** These and those: keys are random, so no two have the same. */
  default PendingSignOns or(PendingSignOns others) {
    return (request, key) -> find(request, key).or(() -> others.find(request, key));
  }
}
