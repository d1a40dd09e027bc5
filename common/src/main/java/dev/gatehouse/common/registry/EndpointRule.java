package dev.gatehouse.common.registry;

import dev.gatehouse.common.http.Loopback;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.IdpConfig;
import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.IdpRole;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.SpRole;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.SsoDescriptor;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which endpoints of a partner's metadata count. The partner chooses them, and browsers go there with assertions, and this node with its
 * own messages. Those without TLS would show them to everybody on the way. Loopback names are the machine of whoever asks: this node would
 * call programs that trust their neighbours, and a browser those of its person. Such endpoints are ignored, as if the metadata did not have
 * them.
 *
 * @param all whether all count, because the configuration says so ({@code plainHttp})
 * @param loopback whether those at loopback names count, because the realm itself is reached at no others
 */
public record EndpointRule(boolean all, boolean loopback) {

  private static final int MAX_NAMED = 5;

  /** Returns the rule for a partner of a realm. */
  public static EndpointRule of(Realm realm, PartnerConfig partner) {
    return of(realm, partner.plainHttp());
  }

  /** Returns the rule for a partner that may not be configured yet. */
  public static EndpointRule of(Realm realm, boolean plainHttp) {
    Stream<URI> own = Stream.of(realm.idp().map(IdpConfig::publicUrl), realm.sp().map(SpConfig::publicUrl)).flatMap(Optional::stream);
    Stream<Origin> others = realm.sp().stream().flatMap(sp -> sp.otherOrigins().stream());
    List<String> hosts = Stream.concat(own.map(URI::getHost), others.map(Origin::host)).toList();
    return new EndpointRule(plainHttp, !hosts.isEmpty() && hosts.stream().allMatch(Loopback::isName));
  }

  /** Returns the metadata with the endpoints that count, and a note about others. */
  public PartnerMetadata applied(PartnerMetadata metadata) {
    Filter filter = new Filter();
    Optional<IdpRole> idp = metadata.idp().map(filter::idp);
    Optional<SpRole> sp = metadata.sp().map(filter::sp);
    if (filter.ignored.isEmpty()) {
      return metadata;
    }
    List<String> notes = new ArrayList<>(metadata.notes());
    notes.add(
        "endpoints that are not https, or on this machine, are ignored, unless the partner has plainHttp: true: "
            + filter.ignored.stream().limit(MAX_NAMED).collect(Collectors.joining(", ")));
    return new PartnerMetadata(
        metadata.entityId(), metadata.validUntil(), metadata.cacheDuration(), metadata.displayName(), idp, sp, List.copyOf(notes));
  }

  private boolean counts(URI location) {
    return all || (Loopback.isName(location.getHost()) ? loopback : "https".equalsIgnoreCase(location.getScheme()));
  }

  private final class Filter {

    /** Origins of endpoints that do not count. */
    private final Set<String> ignored = new LinkedHashSet<>();

    private boolean counts(String location) {
      URI url = URI.create(location);
      boolean counts = EndpointRule.this.counts(url);
      if (!counts) {
        ignored.add(url.getScheme() + "://" + url.getRawAuthority());
      }
      return counts;
    }

    private List<Endpoint> endpoints(List<Endpoint> all) {
      return all.stream().filter(e -> counts(e.location()) && counts(e.locationForResponses())).toList();
    }

    private SsoDescriptor sso(SsoDescriptor sso) {
      return new SsoDescriptor(
          endpoints(sso.singleLogout()),
          sso.artifactResolution().stream().filter(e -> counts(e.location())).toList(),
          endpoints(sso.manageNameId()),
          sso.nameIdFormats());
    }

    private IdpRole idp(IdpRole role) {
      return new IdpRole(
          role.signing(), role.encryption(), role.wantAuthnRequestsSigned(), endpoints(role.singleSignOn()), sso(role.sso()), role.scopes(),
          role.ui());
    }

    private SpRole sp(SpRole role) {
      return new SpRole(
          role.signing(),
          role.encryption(),
          role.authnRequestsSigned(),
          role.wantAssertionsSigned(),
          role.assertionConsumers().stream().filter(e -> counts(e.location())).toList(),
          sso(role.sso()),
          role.attributeConsumers(),
          role.ui());
    }
  }
}
