package dev.gatehouse.common.realm;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One SAML partner: a service provider for our idp, an identity provider for our sp, or both.
 *
 * @param displayName shown to people on logout receipts and the account page; the entity ID where absent
 * @param release attributes that our idp releases to it: SAML attribute name to directory attribute name; {@code roles}
 *     and {@code groups} are names too. Nothing is released that is not listed
 * @param nameId format used where its AuthnRequest asks for none
 */
public record PartnerConfig(
    String entityId,
    Optional<String> displayName,
    MetadataSource metadata,
    Map<String, String> release,
    NameIdFormat nameId) {

  /** Where the partner's metadata comes from. */
  public sealed interface MetadataSource {
    /** A file; re-read when it changes. */
    record File(Path path, Optional<Path> verifyWith) implements MetadataSource {}

    /**
     * A URL; {@code http:} only with {@code verifyWith} or to loopback.
     *
     * @param verifyWith PEM certificate whose key signed the document
     * @param refresh at the latest after this long
     */
    record Url(URI url, Optional<Path> verifyWith, Duration refresh) implements MetadataSource {}
  }

  /** NameID formats that can be configured (SAML Core 8.3). */
  public enum NameIdFormat {
    TRANSIENT("urn:oasis:names:tc:SAML:2.0:nameid-format:transient"),
    PERSISTENT("urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"),
    EMAIL("urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress");

    private final String uri;

    NameIdFormat(String uri) {
      this.uri = uri;
    }

    public String uri() {
      return uri;
    }

    /** The format with that URI. */
    public static Optional<NameIdFormat> ofUri(String uri) {
      return List.of(values()).stream().filter(f -> f.uri.equals(uri)).findFirst();
    }
  }
}
