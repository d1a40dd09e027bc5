package dev.gatehouse.common.realm;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One realm's whole configuration as one immutable value. Files, the admin API and tests all build one; a node swaps it
 * atomically; nothing else reads configuration.
 *
 * @param name lower-case letters, digits and hyphens; the file's name without {@code .yaml}
 * @param revision identifies the content: the same text gives the same revision
 * @param idp present where the realm has an identity provider
 * @param sp present where the realm has a service provider
 * @param directory present where {@code idp} is; without an idp, where the sp knows people of its own
 * @param federation where persistent names and links are kept
 * @param clients OAuth clients; those that registered at run time are not among them
 * @param providers OpenID providers of the sp and the gateway
 */
public record Realm(
    String name,
    Revision revision,
    BrandConfig brand,
    KeyConfig keys,
    Optional<IdpConfig> idp,
    Optional<SpConfig> sp,
    Optional<DirectoryConfig> directory,
    List<PartnerConfig> partners,
    GatewayConfig gateway,
    FederationConfig federation,
    List<ClientConfig> clients,
    List<ProviderConfig> providers) {

  /** The OpenID provider with that issuer. */
  public Optional<ProviderConfig> provider(String issuer) {
    return providers.stream().filter(provider -> provider.issuer().equals(issuer)).findFirst();
  }

  /**
   * Whether that entity ID or issuer is the realm's own identity provider: its {@code idp}, or the only one that the sp and the
   * routes know, so that nobody else's people could be meant.
   */
  public boolean isOwnIdentityProvider(String id) {
    if (idp.filter(own -> own.entityId(name).equals(id)).isPresent()) {
      return true;
    }
    Stream<String> listed =
        Stream.concat(
            sp.stream().flatMap(s -> s.identityProviders().stream()), providers.stream().map(ProviderConfig::issuer));
    return listed.distinct().toList().equals(List.of(id));
  }

  /**
   * The first 12 hexadecimal digits of the SHA-256 of the realm's file and of the files that it names (except partners'
   * metadata, which the registry reads again by itself).
   */
  public record Revision(String value) {
    @Override
    public String toString() {
      return value;
    }
  }
}
