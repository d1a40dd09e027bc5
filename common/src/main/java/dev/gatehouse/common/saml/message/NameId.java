package dev.gatehouse.common.saml.message;

import java.util.Optional;

/**
 * A NameID (SAML Core 2.2.3). The value is compared exactly and never truncated.
 *
 * @param spProvidedId the service provider's identifier of the person, if it set one by ManageNameID (SAML Core 3.6)
 */
public record NameId(
    String value,
    String format,
    Optional<String> nameQualifier,
    Optional<String> spNameQualifier,
    Optional<String> spProvidedId) {

  public static final String UNSPECIFIED = "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified";
  public static final String EMAIL_ADDRESS = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress";
  public static final String TRANSIENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient";
  public static final String PERSISTENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent";
  public static final String ENTITY = "urn:oasis:names:tc:SAML:2.0:nameid-format:entity";

  /** Creates a name without SPProvidedID, as nearly all are. */
  public NameId(String value, String format, Optional<String> nameQualifier, Optional<String> spNameQualifier) {
    this(value, format, nameQualifier, spNameQualifier, Optional.empty());
  }

  public static NameId of(String value, String format) {
    return new NameId(value, format, Optional.empty(), Optional.empty());
  }

  public NameId withValue(String other) {
    return new NameId(other, format, nameQualifier, spNameQualifier, spProvidedId);
  }

  public NameId withSpProvidedId(Optional<String> id) {
    return new NameId(value, format, nameQualifier, spNameQualifier, id);
  }
}
