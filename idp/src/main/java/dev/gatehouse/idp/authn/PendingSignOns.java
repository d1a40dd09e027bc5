package dev.gatehouse.idp.authn;

import dev.gatehouse.idp.endpoint.RealmRequest;
import java.util.Optional;

/** The sign-ons that wait for a login, of any protocol. */
@FunctionalInterface
public interface PendingSignOns {

  /** Looks without taking; empty if the sign-on expired, was answered, or is unknown. */
  Optional<PendingSignOn> find(RealmRequest request, String key);

  /** Returns the sign-on that the parameter {@code pending} of the address names, if it belongs to the browser that asks. */
  default Optional<PendingSignOn> sought(RealmRequest request, BrowserBinding browsers) {
    return request.http().queryParameters().one("pending").flatMap(key -> find(request, key, browsers));
  }

  /** Like {@link #find(RealmRequest, String)}, for the browser to which the sign-on belongs alone. */
  default Optional<PendingSignOn> find(RealmRequest request, String key, BrowserBinding browsers) {
    return find(request, key).filter(found -> browsers.matches(request, found.browser()));
  }

  /** Combines both collections. Keys are random, so they do not collide. */
  default PendingSignOns or(PendingSignOns others) {
    return (request, key) -> find(request, key).or(() -> others.find(request, key));
  }
}
