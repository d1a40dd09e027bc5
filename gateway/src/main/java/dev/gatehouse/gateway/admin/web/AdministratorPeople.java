package dev.gatehouse.gateway.admin.web;

import dev.gatehouse.common.admin.AdminResource.AuthorizationView;
import dev.gatehouse.common.admin.AdminResource.SessionView;
import dev.gatehouse.common.admin.PersonLogins;
import dev.gatehouse.common.admin.PersonLogins.PersonLogin;
import dev.gatehouse.common.db.AdministratorGrants;
import dev.gatehouse.common.db.AdministratorGrants.PersonGrant;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.node.Node.AdminLogin;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The people who are administrators: those of one realm who have roles. Roles are read at each request, so that a revoked one counts
 * no more, and so is the directory's entry once it is half a minute old.
 */
public final class AdministratorPeople {

  private final Optional<AdminLogin> login;
  private final Optional<PersonLogins> logins;
  private final AdministratorGrants grants;
  private final InstantSource time;

  /**
   * @param login empty if only administrator keys open the administration
   * @param logins empty on a node without identity provider
   */
  AdministratorPeople(
      Optional<AdminLogin> login, Optional<PersonLogins> logins, AdministratorGrants grants, InstantSource time) {
    this.login = login;
    this.logins = logins;
    this.grants = grants;
    this.time = time;
  }

  /** Returns the login of people; empty if only administrator keys open the administration. */
  public Optional<AdminLogin> login() {
    return login.filter(configured -> logins.isPresent());
  }

  /** Returns the realm's people; call it only where {@link #login} is present. */
  public PersonLogins logins() {
    return logins.orElseThrow();
  }

  /** Returns what the person may do now; empty if the login has ended or the person has no role. */
  public Optional<AdminRights> rights(EdgeRequest request, PersonLogin person) {
    return login()
        .filter(configured -> configured.realm().equals(person.realm()))
        .flatMap(configured -> logins().current(request, person))
        .flatMap(known -> rights(person, known));
  }

  private Optional<AdminRights> rights(PersonLogin person, Person known) {
    List<AdministratorGrant> roles = roles(person.realm(), person.person());
    return roles.isEmpty()
        ? Optional.empty()
        : Optional.of(new AdminRights(administrator(person.realm(), known.name()), roles, Optional.of(person)));
  }

  /** Returns the name of a person as an administrator; no administrator key can have it, since it has a slash. */
  public static String administrator(String realm, String name) {
    return realm + "/" + name;
  }

  private List<AdministratorGrant> roles(String realm, PersonId person) {
    Instant now = time.instant();
    return grants.of(realm, person).stream().filter(grant -> !grant.isExpired(now)).map(PersonGrant::grant).toList();
  }

  /**
   * Throws {@link MorePowerful} if the person is an administrator with a role that the administrator of the current request lacks.
   * Otherwise a help desk could end the sessions of an administrator, or remove a second factor and log in with a guessed password.
   *
   * @param person login name or id, as the operation takes it
   */
  public void requireMayActOn(String realm, String person) {
    List<PersonGrant> higher = higher(realm);
    if (higher.isEmpty()) {
      return;
    }
    refuse(higher, realm, grant -> isNamed(grant, person));
    // Somebody who was renamed, or named by another attribute's value.
    Optional<PersonId> meant = logins().find(realm, person).map(Person::id);
    refuse(higher, realm, grant -> meant.filter(grant.person()::equals).isPresent());
  }

  /** As {@link #requireMayActOn(String, String)}, for the person of a session, whose id and name are known. */
  public void requireMayActOn(SessionView session) {
    refuse(higher(session.realm()), session.realm(), grant -> isNamed(grant, session.person()) || isNamed(grant, session.name()));
  }

  /** As {@link #requireMayActOn(String, String)}, for the person of an authorization. */
  public void requireMayActOn(String realm, AuthorizationView authorization) {
    refuse(higher(realm), realm, grant -> isNamed(grant, authorization.person()) || isNamed(grant, authorization.name()));
  }

  /** Throws {@link MorePowerful} if anybody of that realm is an administrator with a role that the current one lacks. */
  public void requireMayActOnAll(String realm) {
    refuse(higher(realm), realm, grant -> true);
  }

  /** Returns the roles of people of that realm that the administrator of the current request lacks. */
  private List<PersonGrant> higher(String realm) {
    if (login().filter(configured -> configured.realm().equals(realm)).isEmpty()) {
      return List.of();
    }
    AdminRights rights = rights();
    Instant now = time.instant();
    return grants.all(realm).stream().filter(grant -> !grant.isExpired(now) && !rights.include(grant.grant())).toList();
  }

  private static void refuse(List<PersonGrant> higher, String realm, Predicate<PersonGrant> isMeant) {
    Optional<PersonGrant> found = higher.stream().filter(isMeant).findFirst();
    if (found.isPresent()) {
      throw new MorePowerful(realm, found.get().grant(), rights());
    }
  }

  private static AdminRights rights() {
    return AdminRights.ofCurrentRequest().orElse(new AdminRights(AdminRights.NODE, List.of()));
  }

  /** Also by the name at the time of the grant: then nobody is less protected while the directory is down. */
  private static boolean isNamed(PersonGrant grant, String person) {
    return grant.person().value().equalsIgnoreCase(person)
        || grant.name().toLowerCase(Locale.ROOT).equals(person.strip().toLowerCase(Locale.ROOT));
  }
}
