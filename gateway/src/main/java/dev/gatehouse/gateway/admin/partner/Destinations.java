package dev.gatehouse.gateway.admin.partner;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import dev.gatehouse.gateway.admin.web.AdminRights;
import java.util.Optional;

/**
 * Where the node connects to for an administrator: for one of a single realm, where {@code realms.NAME.outbound} lets the realm connect.
 */
interface Destinations {

  /** Returns why the node does not connect there; empty if it does. */
  Optional<Problem> refusal(String url);

  /**
   * Returns the destinations of an administrator.
   *
   * @param role that is needed for the operation
   */
  static Destinations of(AdminRights rights, AdministratorRole role, String realm, ConfigurationControl control) {
    return rights.mayEverywhere(role) ? url -> Optional.empty() : url -> control.destination(realm, url);
  }
}
