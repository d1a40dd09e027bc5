package dev.gatehouse.common.saml;

import java.util.List;
import java.util.Optional;

/** An Attribute with text values (SAML Core 2.7.3.1). */
public record SamlAttribute(String name, String nameFormat, Optional<String> friendlyName, List<String> values) {

  public static final String UNSPECIFIED = "urn:oasis:names:tc:SAML:2.0:attrname-format:unspecified";
  public static final String BASIC = "urn:oasis:names:tc:SAML:2.0:attrname-format:basic";
  public static final String URI = "urn:oasis:names:tc:SAML:2.0:attrname-format:uri";

  public static SamlAttribute basic(String name, List<String> values) {
    return new SamlAttribute(name, BASIC, Optional.empty(), List.copyOf(values));
  }

  public SamlAttribute withValues(List<String> others) {
    return new SamlAttribute(name, nameFormat, friendlyName, List.copyOf(others));
  }
}
