package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.saml.Reading;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Take;
import dev.gatehouse.idp.authn.PendingLimit;
import dev.gatehouse.idp.authn.WaitingSignOn;
import dev.gatehouse.idp.authn.WaitingSignOns;
import dev.gatehouse.idp.endpoint.RealmRequest;
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

  static final Duration LIFE = PendingLimit.LIFE;

  private final SingleUseStore<PendingSignOn> store;
  private final PendingLimit limit;
  private final SsoPartners partners;
  private final InstantSource clock;
  private final RandomGenerator random;

  public PendingSignOns(
      SingleUseStore<PendingSignOn> store,
      PendingLimit limit,
      SsoPartners partners,
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
    return peek(request, key).flatMap(pending -> pending.browser().flatMap(b -> waiting(request, key, pending, b)));
  }

  private Optional<WaitingSignOn> waiting(RealmRequest request, String key, PendingSignOn pending, String browser) {
    SignOn signOn = pending.signOn();
    return switch (partners.find(signOn.realm(), signOn.partner())) {
      case Reading.Refused<SsoPartner> gone -> Optional.empty();
      case Reading.Accepted<SsoPartner>(var partner) ->
          Optional.of(
              new WaitingSignOn(
                  key,
                  browser,
                  partner.sp().displayName(),
                  partner.wanted(signOn),
                  resume(request, key),
                  Optional.of(request.here("saml/cancel") + "?pending=" + key)));
    };
  }

  /** Where a sign-on goes on. Keys are of our own making and need no escaping. */
  static String resume(RealmRequest request, String key) {
    return request.here("saml/sso") + "?pending=" + key;
  }
}
