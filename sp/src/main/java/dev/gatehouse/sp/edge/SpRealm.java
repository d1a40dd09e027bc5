package dev.gatehouse.sp.edge;

import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.SpConfig;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A realm together with its service provider. */
public record SpRealm(Realm realm, SpConfig sp) {

  /** The path of our ArtifactResolutionService. */
  public static final String ARTIFACT_PATH = "/.gatehouse/saml/artifact";

  public static Optional<SpRealm> of(Realm realm) {
    return realm.sp().map(sp -> new SpRealm(realm, sp));
  }

  public String name() {
    return realm.name();
  }

  public Origin home() {
    return sp.home();
  }

  /** The identity providers whose assertions and ID tokens count: entity IDs and issuers, in the configured order. */
  public List<String> identityProviders() {
    return sp.identityProviders();
  }

  /**
   * The OpenID provider with this issuer, if people log in there now or did before: a provider that knows us as a
   * client and is not also a SAML partner.
   */
  public Optional<ProviderConfig> openIdProvider(String issuer) {
    return realm
        .provider(issuer)
        .filter(provider -> provider.client().isPresent())
        .filter(provider -> realm.parties().partners().stream().noneMatch(partner -> partner.entityId().equals(issuer)));
  }

  /** Returns whether the request was made to the home origin, the only one that messages name. */
  public boolean isHome(EdgeRequest request) {
    return request.origin().equals(home());
  }

  /**
   * The address of the node's ArtifactResolutionService; that of the home origin if nodes have no origins of their own.
   */
  public String artifactResolution(int node) {
    List<URI> nodes = sp.artifactNodes();
    return (node < nodes.size() ? nodes.get(node) : sp.publicUrl()) + ARTIFACT_PATH;
  }

  /** Returns whether an ArtifactResolutionService of ours is at this origin. */
  public boolean resolvesArtifactsAt(Origin origin) {
    return origin.equals(home()) || sp.artifactNodes().stream().map(Origin::of).anyMatch(origin::equals);
  }

  /** The home origin first, then the other origins. */
  public Stream<Origin> origins() {
    return Stream.concat(Stream.of(home()), sp.otherOrigins().stream());
  }
}
