package dev.gatehouse.gateway.admin.web;

import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.key.AdministratorRole;
import java.util.Optional;
import java.util.stream.Collectors;

/** Signals that the administrator lacks a role; answered with 403 and audited. */
final class RoleMissing extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Optional<AdministratorRole> role;
  private final transient Optional<String> realm;
  private final transient AdminRights rights;

  /**
   * @param role the needed role; empty if no role permits the operation
   * @param realm empty for all realms
   */
  RoleMissing(Optional<AdministratorRole> role, Optional<String> realm, AdminRights rights) {
    super(message(role, realm, rights), null, false, false);
    this.role = role;
    this.realm = realm;
    this.rights = rights;
  }

  private static String message(Optional<AdministratorRole> role, Optional<String> realm, AdminRights rights) {
    String who = rights.login().isPresent() ? "you have " : "this key has ";
    String has = who + rights.grants().stream().map(AdministratorGrant::toString).collect(Collectors.joining(", ")) + ".";
    return role
        .map(
            needed ->
                "This needs the role " + needed.word() + realm.map(name -> " in the realm " + name).orElse(" in all realms") + "; " + has)
        .orElse("No role permits this operation; " + has);
  }

  /** Returns the needed role; empty if no role permits the operation. */
  Optional<AdministratorRole> role() {
    return role;
  }

  /** Returns the realm in which the role is needed; empty for all realms. */
  Optional<String> realm() {
    return realm;
  }

  AdminRights rights() {
    return rights;
  }
}
