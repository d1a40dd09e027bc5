package dev.gatehouse.common.realm;

import dev.gatehouse.common.http.Origin;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The realm's service provider: the gateway's home.
 *
 * @param publicUrl the home origin, without path; {@link #entityId()} is its metadata URL
 * @param otherOrigins further origins whose hosts the gateway serves with the same AppSession (more hosts, the https
 *     twin)
 * @param identityProviders entity IDs of the partners, and issuers of the OpenID providers, to which people can be sent; at
 *     least one. Among several the person chooses
 * @param unsolicited whether Responses without a request are accepted; off by default
 * @param session lifetime of an AppSession
 * @param subject the SAML attributes that identify the person
 * @param requestedAttributes attributes requested from identity providers (AttributeConsumingService, SAML Metadata 2.4.4)
 * @param artifactNodes origins for artifact resolution, by the index of the node that holds the artifact; only publicUrl if
 *     there is one node
 * @param times bounds of the times in identity providers' messages
 */
public record SpConfig(
    URI publicUrl,
    List<Origin> otherOrigins,
    List<String> identityProviders,
    boolean unsolicited,
    SessionTimeouts session,
    SubjectMapping subject,
    List<RequestedAttribute> requestedAttributes,
    List<URI> artifactNodes,
    TimeBounds times) {

  /** Creates a configuration with the usual bounds of times. */
  public SpConfig(
      URI publicUrl,
      List<Origin> otherOrigins,
      List<String> identityProviders,
      boolean unsolicited,
      SessionTimeouts session,
      SubjectMapping subject,
      List<RequestedAttribute> requestedAttributes,
      List<URI> artifactNodes) {
    this(
        publicUrl, otherOrigins, identityProviders, unsolicited, session, subject, requestedAttributes, artifactNodes,
        TimeBounds.USUAL);
  }

  /**
   * Bounds of the times in identity providers' messages.
   *
   * @param ahead tolerance ahead of our clock, for IssueInstant and AuthnInstant
   * @param validity largest time from IssueInstant to NotOnOrAfter
   */
  public record TimeBounds(Duration ahead, Duration validity) {
    public static final TimeBounds USUAL = new TimeBounds(Duration.ofSeconds(60), Duration.ofDays(1));
  }

  /**
   * Names of SAML attributes.
   *
   * @param user its only value is the user name, {@code uid} by default; if it is not sent, the NameID is the name
   * @param roles its values are the roles, {@code roles} by default; there are roles only if this attribute is sent
   * @param groups its values are the groups, {@code groups} by default
   */
  public record SubjectMapping(String user, String roles, String groups) {}

  /**
   * An attribute that is requested.
   *
   * @param required whether the service cannot be used without it
   */
  public record RequestedAttribute(String name, boolean required) {}

  /** Returns the identity provider for people who have not chosen: the first. */
  public String identityProvider() {
    return identityProviders.getFirst();
  }

  /** Returns the metadata URL, which is the entity ID. */
  public String entityId() {
    return publicUrl + "/.gatehouse/saml/metadata";
  }

  /**
   * Returns the redirect URI at an OpenID provider.
   *
   * @param alias of the provider; those without one have the same redirect URI
   */
  public String openIdCallback(Optional<String> alias) {
    return publicUrl + openIdCallbackPath(alias);
  }

  /** Returns the path of that redirect URI. */
  public static String openIdCallbackPath(Optional<String> alias) {
    return "/.gatehouse/oidc/callback" + alias.map(name -> "/" + name).orElse("");
  }

  /** Returns the address to which OpenID providers return after a logout (post_logout_redirect_uri). */
  public String openIdLoggedOut() {
    return publicUrl + "/.gatehouse/oidc/logged-out";
  }

  /** Returns the only AssertionConsumerService. */
  public String acs() {
    return publicUrl + "/.gatehouse/saml/acs";
  }

  /** Returns the SingleLogoutService for browsers. */
  public String slo() {
    return publicUrl + "/.gatehouse/saml/slo";
  }

  /** Returns the SingleLogoutService for servers, by SOAP. */
  public String soapSlo() {
    return slo() + "/soap";
  }

  public Origin home() {
    return Origin.of(publicUrl);
  }
}
