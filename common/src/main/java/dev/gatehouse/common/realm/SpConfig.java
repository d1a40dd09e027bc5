package dev.gatehouse.common.realm;

import dev.gatehouse.common.http.Origin;
import java.net.URI;
import java.util.List;

/**
 * The realm's service provider: the gateway's home.
 *
 * @param publicUrl the home origin, without path; {@link #entityId()} is its metadata URL
 * @param otherOrigins further origins whose hosts the gateway serves with the same AppSession (more hosts, the https
 *     twin)
 * @param identityProvider entity ID of the partner that people are sent to
 * @param unsolicited whether Responses without a request are accepted; off by default
 * @param session how long an AppSession lives
 * @param subject which SAML attributes tell who the person is
 */
public record SpConfig(
    URI publicUrl,
    List<Origin> otherOrigins,
    String identityProvider,
    boolean unsolicited,
    SessionLife session,
    SubjectMapping subject) {

  /**
   * Names of SAML attributes.
   *
   * @param user its only value is the user name, {@code uid} by default; where it is not sent, the NameID is the name
   * @param roles its values are the roles, {@code roles} by default; roles count only if this attribute is sent
   * @param groups its values are the groups, {@code groups} by default
   */
  public record SubjectMapping(String user, String roles, String groups) {}

  /** The metadata URL, which is the entity ID. */
  public String entityId() {
    return publicUrl + "/.gatehouse/saml/metadata";
  }

  /** The only AssertionConsumerService. */
  public String acs() {
    return publicUrl + "/.gatehouse/saml/acs";
  }

  /** The only SingleLogoutService. */
  public String slo() {
    return publicUrl + "/.gatehouse/saml/slo";
  }

  public Origin home() {
    return Origin.of(publicUrl);
  }
}
