package dev.gatehouse.gateway.admin.web;

import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.key.AdministratorRole;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Optional;

/** What the administrator may do whose request is served. */
public record AdminRights(String administrator, List<AdministratorGrant> grants) {

  /** The realm's name in the audit log of what concerns no single realm. */
  public static final String NODE = "-";

  /** Returns the rights of the request; none without a key. */
  static Optional<AdminRights> of(HttpServletRequest request) {
    return request.getAttribute(AdminKeyFilter.RIGHTS) instanceof AdminRights rights ? Optional.of(rights) : Optional.empty();
  }

  /** Returns whether the administrator has the role in that realm. */
  public boolean may(AdministratorRole role, String realm) {
    return grants.stream().anyMatch(grant -> grant.permits(role, realm));
  }

  /** Returns whether the administrator has the role in all realms. */
  public boolean mayEverywhere(AdministratorRole role) {
    return grants.stream().anyMatch(grant -> grant.permitsEverywhere(role));
  }

  /** Returns whether the administrator has the role in at least one realm. */
  public boolean maySomewhere(AdministratorRole role) {
    return grants.stream().anyMatch(grant -> grant.role().includes(role));
  }

  /** Throws {@link RoleMissing} unless the administrator has the role in that realm. */
  public void require(AdministratorRole role, String realm) {
    if (!may(role, realm)) {
      throw new RoleMissing(Optional.of(role), Optional.of(realm), this);
    }
  }

  /** Throws {@link RoleMissing} unless the administrator has the role in all realms. */
  public void requireEverywhere(AdministratorRole role) {
    if (!mayEverywhere(role)) {
      throw new RoleMissing(Optional.of(role), Optional.empty(), this);
    }
  }

  /** Returns the highest role in that realm, or for {@link #NODE} in all realms. */
  Optional<AdministratorRole> highest(String realm) {
    return grants.stream()
        .filter(grant -> grant.realm().map(realm::equals).orElse(true))
        .map(AdministratorGrant::role)
        .reduce((one, other) -> one.includes(other) ? one : other);
  }
}
