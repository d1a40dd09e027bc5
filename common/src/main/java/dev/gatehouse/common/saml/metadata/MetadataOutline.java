package dev.gatehouse.common.saml.metadata;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a metadata document says of itself, for an administrator who has not decided yet whether to trust it.
 *
 * @param entities in the order of the document
 * @param validUntil the earliest of the whole document and of the chosen entity
 * @param signature of the whole document or else of the chosen entity
 */
public record MetadataOutline(List<Entity> entities, Optional<Instant> validUntil, Signature signature) {

  /** An EntityDescriptor, with its roles of SAML 2.0. */
  public record Entity(String entityId, boolean isIdentityProvider, boolean isServiceProvider) {}

  /** How much a signature says. */
  public enum Verdict {
    /** Made by the key of the certificate that was given. */
    VERIFIED,
    /** Made by the key of the certificate that the signature itself carries: nothing was changed since, but anybody may have made it. */
    INTACT,
    /** There is no certificate that it could be verified by. */
    UNVERIFIED,
    /** Its algorithms are not accepted here, so nothing is known. */
    UNSUPPORTED,
    /** The document is not signed. */
    ABSENT,
    /** The content was changed, or another key than that of the certificate signed it. */
    INVALID
  }

  /**
   * The signature of a document.
   *
   * @param certificate that the signature carries; it proves nothing by itself
   * @param detail of a verdict that says that something is wrong
   */
  public record Signature(Verdict verdict, Optional<X509Certificate> certificate, Optional<String> detail) {
    static final Signature ABSENT = new Signature(Verdict.ABSENT, Optional.empty(), Optional.empty());
  }
}
