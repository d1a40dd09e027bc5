package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Take;
import dev.gatehouse.idp.authn.WaitingSignOn;
import dev.gatehouse.idp.authn.WaitingSignOns;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.saml.SpPartners;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Sign-ons that wait, for an hour, so that a person may take their time and reload. Anybody can make one: how many live at
 * once is bounded by address and in all.
 */
public final class PendingSignOns implements WaitingSignOns {

  /** The name of the store. */
  public static final String STORE = "idp-pending-sign-ons";

  static final Duration LIFE = Duration.ofHours(1);

  private final SingleUseStore<PendingSignOn> store;
  private final PendingLimit limit;
  private final SpPartners partners;
  private final InstantSource clock;
  private final RandomGenerator random;

  public PendingSignOns(
      SingleUseStore<PendingSignOn> store,
      PendingLimit limit,
      SpPartners partners,
      InstantSource clock,
      RandomGenerator random) {
    this.store = store;
    this.limit = limit;
    this.partners = partners;
    this.clock = clock;
    this.random = random;
  }

  /** Stores it and returns its key; empty where too many wait. */
  Optional<String> put(RealmRequest request, PendingSignOn pending) {
    String key = SessionToken.create(random).value();
    if (!limit.admit(key, request.http().client())) {
      return Optional.empty();
    }
    store.put(key, pending, clock.instant().plus(LIFE));
    return Optional.of(key);
  }

  Optional<PendingSignOn> peek(RealmRequest request, String key) {
    return store.peek(key).filter(pending -> pending.signOn().realm().equals(request.realm().name()));
  }

  Take<PendingSignOn> take(String key) {
    Take<PendingSignOn> taken = store.take(key);
    limit.release(key);
    return taken;
  }

  @Override
  public Optional<WaitingSignOn> find(RealmRequest request, String key) {
    return peek(request, key).flatMap(pending -> pending.browser().map(browser -> waiting(request, key, pending, browser)));
  }

  private WaitingSignOn waiting(RealmRequest request, String key, PendingSignOn pending, String browser) {
    SignOn signOn = pending.signOn();
    return new WaitingSignOn(
        key,
        browser,
        partners.displayName(signOn.realm(), signOn.partner()),
        signOn.wanted(),
        request.here("saml/sso") + "?pending=" + key);
  }
}
