package dev.gatehouse.gateway.admin.web;

import dev.gatehouse.common.admin.PersonLogins.PersonLogin;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.key.AdministratorRole;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * What the administrator may do whose request is served.
 *
 * @param administrator the name of the key, or {@code REALM/NAME} of the person
 * @param login the login of a person; empty for a key
 */
public record AdminRights(String administrator, List<AdministratorGrant> grants, Optional<PersonLogin> login) {

  /** The realm's name in the audit log of what concerns no single realm. */
  public static final String NODE = "-";

  /** Creates the rights of a key. */
  public AdminRights(String administrator, List<AdministratorGrant> grants) {
    this(administrator, grants, Optional.empty());
  }

  /** Returns the rights of the request; none without a key. */
  static Optional<AdminRights> of(HttpServletRequest request) {
    return request.getAttribute(AdminKeyFilter.RIGHTS) instanceof AdminRights rights ? Optional.of(rights) : Optional.empty();
  }

  /** Returns the rights of the request that this thread serves; none outside of a request. */
  static Optional<AdminRights> ofCurrentRequest() {
    return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes request
        ? of(request.getRequest())
        : Optional.empty();
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

  /** Returns whether the administrator has that role, or a higher one, wherever it counts. */
  public boolean include(AdministratorGrant grant) {
    return grant.realm().map(realm -> may(grant.role(), realm)).orElseGet(() -> mayEverywhere(grant.role()));
  }

  /** Throws {@link LoginTooOld} if a person logged in too long ago for what is dangerous. */
  void requireRecentLogin(Instant now) {
    if (login.filter(person -> now.isAfter(person.authenticatedAt().plus(LoginTooOld.MAX_AGE))).isPresent()) {
      throw new LoginTooOld();
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
