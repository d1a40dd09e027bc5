package dev.gatehouse.gateway.admin.web;

import dev.gatehouse.common.key.AdministratorGrant;

/** Signals that the person of an operation is an administrator with more power than the caller; answered with 403 and audited. */
final class MorePowerful extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String realm;
  private final transient AdministratorGrant grant;
  private final transient AdminRights rights;

  /**
   * @param realm of the person
   * @param grant the person's role that the caller lacks
   */
  MorePowerful(String realm, AdministratorGrant grant, AdminRights rights) {
    super(
        "This person is an administrator with the role " + grant.role().word()
            + grant.realm().map(name -> " in the realm " + name).orElse(" in all realms")
            + "; only administrators with that role may do this.",
        null, false, false);
    this.realm = realm;
    this.grant = grant;
    this.rights = rights;
  }

  String realm() {
    return realm;
  }

  AdministratorGrant grant() {
    return grant;
  }

  AdminRights rights() {
    return rights;
  }
}
