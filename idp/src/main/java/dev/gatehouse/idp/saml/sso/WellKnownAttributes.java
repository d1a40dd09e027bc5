package dev.gatehouse.idp.saml.sso;

import java.util.Map;
import java.util.Optional;

/**
 * Friendly names of attributes whose names are object identifiers (SAML Profiles 8.2; eduPerson 2021-11; RFC 4519,
 * 2798).
 */
final class WellKnownAttributes {

  private static final Map<String, String> FRIENDLY =
      Map.ofEntries(
          Map.entry("urn:oid:0.9.2342.19200300.100.1.1", "uid"),
          Map.entry("urn:oid:0.9.2342.19200300.100.1.3", "mail"),
          Map.entry("urn:oid:2.5.4.3", "cn"),
          Map.entry("urn:oid:2.5.4.4", "sn"),
          Map.entry("urn:oid:2.5.4.10", "o"),
          Map.entry("urn:oid:2.5.4.11", "ou"),
          Map.entry("urn:oid:2.5.4.12", "title"),
          Map.entry("urn:oid:2.5.4.20", "telephoneNumber"),
          Map.entry("urn:oid:2.5.4.42", "givenName"),
          Map.entry("urn:oid:2.16.840.1.113730.3.1.3", "employeeNumber"),
          Map.entry("urn:oid:2.16.840.1.113730.3.1.39", "preferredLanguage"),
          Map.entry("urn:oid:2.16.840.1.113730.3.1.241", "displayName"),
          Map.entry("urn:oid:1.3.6.1.4.1.5923.1.1.1.1", "eduPersonAffiliation"),
          Map.entry("urn:oid:1.3.6.1.4.1.5923.1.1.1.5", "eduPersonPrimaryAffiliation"),
          Map.entry("urn:oid:1.3.6.1.4.1.5923.1.1.1.6", "eduPersonPrincipalName"),
          Map.entry("urn:oid:1.3.6.1.4.1.5923.1.1.1.7", "eduPersonEntitlement"),
          Map.entry("urn:oid:1.3.6.1.4.1.5923.1.1.1.9", "eduPersonScopedAffiliation"),
          Map.entry("urn:oid:1.3.6.1.4.1.5923.1.1.1.11", "eduPersonAssurance"),
          Map.entry("urn:oid:1.3.6.1.4.1.5923.1.1.1.13", "eduPersonUniqueId"),
          Map.entry("urn:oid:1.3.6.1.4.1.5923.1.1.1.16", "eduPersonOrcid"),
          Map.entry("urn:oid:1.3.6.1.4.1.5923.1.5.1.1", "isMemberOf"),
          Map.entry("urn:oid:1.3.6.1.4.1.25178.1.2.9", "schacHomeOrganization"),
          Map.entry("urn:oasis:names:tc:SAML:attribute:subject-id", "subject-id"),
          Map.entry("urn:oasis:names:tc:SAML:attribute:pairwise-id", "pairwise-id"));

  private WellKnownAttributes() {}

  static Optional<String> friendlyName(String name) {
    return Optional.ofNullable(FRIENDLY.get(name));
  }
}
