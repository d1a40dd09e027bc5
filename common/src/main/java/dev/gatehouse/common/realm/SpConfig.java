package dev.gatehouse.common.realm;

import dev.gatehouse.common.http.Origin;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * The realm's service provider: the gateway's home.
 *
 * @param publicUrl the home origin, without path; {@link #entityId()} is its metadata URL
 * @param otherOrigins further origins whose hosts the gateway serves with the same AppSession (more hosts, the https
 *     twin)
 * @param identityProviders entity IDs of the partners, and issuers of the OpenID providers, that people can be sent to, at
 *     least one; among several the person chooses
 * @param unsolicited whether Responses without a request are accepted; off by default
 * @param session how long an AppSession lives
 * @param subject which SAML attributes tell who the person is
 * @param requestedAttributes what identity providers are asked for (AttributeConsumingService, SAML Metadata 2.4.4)
 * @param artifactNodes origins at which artifacts are resolved, by the index of the node that holds them; publicUrl alone
 *     where there is one node
 * @param times how far those in identity providers' messages may reach
 */
public record SpConfig(
    URI publicUrl,
    List<Origin> otherOrigins,
    List<String> identityProviders,
    boolean unsolicited,
    SessionLife session,
    SubjectMapping subject,
    List<RequestedAttribute> requestedAttributes,
    List<URI> artifactNodes,
    TimeBounds times) {

  /** With the usual bounds of times. */
  public SpConfig(
      URI publicUrl,
      List<Origin> otherOrigins,
      List<String> identityProviders,
      boolean unsolicited,
      SessionLife session,
      SubjectMapping subject,
      List<RequestedAttribute> requestedAttributes,
      List<URI> artifactNodes) {
    this(
        publicUrl, otherOrigins, identityProviders, unsolicited, session, subject, requestedAttributes, artifactNodes,
        TimeBounds.USUAL);
  }

  /**
   * How far the times in identity providers' messages may reach.
   *
   * @param ahead of our clock, for IssueInstant and AuthnInstant
   * @param validity from IssueInstant to NotOnOrAfter, at most
   */
  public record TimeBounds(Duration ahead, Duration validity) {
    public static final TimeBounds USUAL = new TimeBounds(Duration.ofSeconds(60), Duration.ofDays(1));
  }

  /**
   * Names of SAML attributes.
   *
   * @param user its only value is the user name, {@code uid} by default; where it is not sent, the NameID is the name
   * @param roles its values are the roles, {@code roles} by default; roles count only if this attribute is sent
   * @param groups its values are the groups, {@code groups} by default
   */
  public record SubjectMapping(String user, String roles, String groups) {}

  /** An attribute that is asked for. @param required whether the service has no use without it */
  public record RequestedAttribute(String name, boolean required) {}

  /** The one that people are sent to where nobody has chosen: the first. */
  public String identityProvider() {
    return identityProviders.getFirst();
  }

  /** The metadata URL, which is the entity ID. */
  public String entityId() {
    return publicUrl + "/.gatehouse/saml/metadata";
  }

  /** The only redirect URI at OpenID providers. */
  public String openIdCallback() {
    return publicUrl + "/.gatehouse/oidc/callback";
  }

  /** Where OpenID providers lead back after a logout (post_logout_redirect_uri). */
  public String openIdLoggedOut() {
    return publicUrl + "/.gatehouse/oidc/logged-out";
  }

  /** The only AssertionConsumerService. */
  public String acs() {
    return publicUrl + "/.gatehouse/saml/acs";
  }

  /** The SingleLogoutService for browsers. */
  public String slo() {
    return publicUrl + "/.gatehouse/saml/slo";
  }

  /** The SingleLogoutService for servers, by SOAP. */
  public String soapSlo() {
    return slo() + "/soap";
  }

  public Origin home() {
    return Origin.of(publicUrl);
  }
}
