package dev.gatehouse.common.saml;

import java.util.Optional;

/** A NameID (SAML Core 2.2.3). The value is compared exactly and never truncated. */
public record NameId(
    String value, String format, Optional<String> nameQualifier, Optional<String> spNameQualifier) {

  public static final String UNSPECIFIED = "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified";

  public static NameId of(String value, String format) {
    return new NameId(value, format, Optional.empty(), Optional.empty());
  }
}
