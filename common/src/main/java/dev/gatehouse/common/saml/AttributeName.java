package dev.gatehouse.common.saml;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Names of attributes. The same attribute is {@code mail} to one product and {@code urn:oid:0.9.2342.19200300.100.1.3}
 * to another (X.500/LDAP Attribute Profile, SAML Profiles 8.2; eduPerson 4.4.0; Subject Identifier Attributes Profile
 * 1.0). We write the short name and read both, in messages and in configurations.
 */
public final class AttributeName {

  /** An attribute with values of the form {@code idp!sp!value}. */
  public static final String TARGETED_ID = "eduPersonTargetedID";

  /** The password of the login, for a partner to which the realm releases it; always encrypted. */
  public static final String LOGIN_PASSWORD = "urn:gatehouse:attribute:login-password";

  private static final String EDU_PERSON = "urn:oid:1.3.6.1.4.1.5923.1.1.1.";
  private static final String SUBJECT = "urn:oasis:names:tc:SAML:attribute:";

  private static final Map<String, String> PLAIN =
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
          Map.entry(EDU_PERSON + "1", "eduPersonAffiliation"),
          Map.entry(EDU_PERSON + "5", "eduPersonPrimaryAffiliation"),
          Map.entry(EDU_PERSON + "6", "eduPersonPrincipalName"),
          Map.entry(EDU_PERSON + "7", "eduPersonEntitlement"),
          Map.entry(EDU_PERSON + "9", "eduPersonScopedAffiliation"),
          Map.entry(EDU_PERSON + "10", TARGETED_ID),
          Map.entry(EDU_PERSON + "11", "eduPersonAssurance"),
          Map.entry(EDU_PERSON + "13", "eduPersonUniqueId"),
          Map.entry(EDU_PERSON + "16", "eduPersonOrcid"),
          Map.entry("urn:oid:1.3.6.1.4.1.5923.1.5.1.1", "isMemberOf"),
          Map.entry("urn:oid:1.3.6.1.4.1.25178.1.2.9", "schacHomeOrganization"),
          Map.entry(SUBJECT + "subject-id", "subject-id"),
          Map.entry(SUBJECT + "pairwise-id", "pairwise-id"));

  private static final Set<String> SCOPED =
      Set.of(
          "eduPersonPrincipalName", "eduPersonScopedAffiliation", "eduPersonUniqueId", "subject-id", "pairwise-id");

  private AttributeName() {}

  /** Returns the short name of a known attribute; any other name unchanged. */
  public static String plain(String name) {
    return PLAIN.getOrDefault(name, name);
  }

  /** The FriendlyName of a known attribute (SAML Profiles 8.2). */
  public static Optional<String> friendly(String name) {
    return Optional.ofNullable(PLAIN.get(name));
  }

  /** Returns whether values of the attribute with that short name are {@code value@scope}. */
  public static boolean isScoped(String plainName) {
    return SCOPED.contains(plainName);
  }
}
