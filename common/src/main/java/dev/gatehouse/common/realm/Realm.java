package dev.gatehouse.common.realm;

import java.util.List;
import java.util.Optional;

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
