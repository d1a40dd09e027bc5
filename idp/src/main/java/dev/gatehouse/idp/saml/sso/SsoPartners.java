package dev.gatehouse.idp.saml.sso;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.SamlReader;
import dev.gatehouse.idp.saml.SpPartners;

/**
 * The service providers of a realm as sign-on sees them. Derived values remain until metadata or configuration change.
 */
public final class SsoPartners {

  private record Key(String realm, String entityId) {}

  private final SpPartners partners;
  private final Cache<Key, SsoPartner> sorted = Caffeine.newBuilder().maximumSize(10_000).executor(Runnable::run).build();

  public SsoPartners(SpPartners partners) {
    this.partners = partners;
  }

  SamlReader.PartnerLookup lookup(String realm) {
    return partners.lookup(realm);
  }

  Result<SsoPartner, SamlRefusal> find(String realm, String entityId) {
    return switch (partners.find(realm, entityId)) {
      case Result.Refused(var refusal) -> new Result.Refused<>(refusal);
      case Result.Accepted(var sp) -> new Result.Accepted<>(sorted(new Key(realm, entityId), sp));
    };
  }

  private SsoPartner sorted(Key key, SpPartners.Sp sp) {
    SsoPartner known = sorted.getIfPresent(key);
    if (known != null && known.isOf(sp)) {
      return known;
    }
    SsoPartner fresh = SsoPartner.of(sp);
    sorted.put(key, fresh);
    return fresh;
  }
}
