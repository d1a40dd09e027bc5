package dev.gatehouse.gateway.admin.web;

import dev.gatehouse.common.admin.AdminResource.SessionView;
import dev.gatehouse.common.admin.PersonLogins;
import dev.gatehouse.common.admin.PersonLogins.PersonLogin;
import dev.gatehouse.common.db.AdministratorGrants;
import dev.gatehouse.common.db.AdministratorGrants.PersonGrant;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.node.Node.AdminLogin;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The people who are administrators: those of one realm who have roles. Roles are read at each request, so that a revoked one counts
 * no more, and so is the directory's entry once it is half a minute old.
 */
public final class AdministratorPeople {

  /** In ids of people at the gateway, what stands before what the provider calls the person. */
  private static final String OF_PROVIDER = "!";

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

  /** Returns what the roles of a person are now who logged in, without a look at the session or the directory. */
  Optional<AdminRights> granted(PersonLogin person) {
    List<AdministratorGrant> roles =
        login().filter(configured -> configured.realm().equals(person.realm())).isPresent()
            ? roles(person.realm(), person.person())
            : List.of();
    return roles.isEmpty()
        ? Optional.empty()
        : Optional.of(new AdminRights(administrator(person.realm(), person.name()), roles, Optional.of(person)));
  }

  /** Returns whether the directory has the person, and says nothing against a login. */
  boolean isEnabled(PersonLogin person) {
    return logins().isEnabled(person.realm(), person.person());
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
   * @param person login name, id, or id at the gateway, as the operation takes it
   */
  public void requireMayActOn(String realm, String person) {
    AdminRights rights = rights();
    List<PersonGrant> higher = higher(realm, rights);
    if (higher.isEmpty()) {
      return;
    }
    refuse(higher, realm, rights, grant -> isNamed(grant, person));
    // Somebody who was renamed, or named by another attribute's value. A node without identity provider knows nobody but by the roles.
    Set<PersonId> meant =
        Stream.of(person, person.substring(person.lastIndexOf(OF_PROVIDER) + 1))
            .distinct()
            .filter(name -> !name.isEmpty())
            .flatMap(name -> logins.flatMap(known -> known.find(realm, name)).stream())
            .map(Person::id)
            .collect(Collectors.toSet());
    refuse(higher, realm, rights, grant -> meant.contains(grant.person()));
  }

  /** Returns whether {@link #requireMayActOn(String, String)} would pass, for pages that show less then. */
  public boolean mayActOn(String realm, String person) {
    try {
      requireMayActOn(realm, person);
      return true;
    } catch (MorePowerful e) {
      return false;
    }
  }

  /** As {@link #requireMayActOn(String, String)}, for somebody whose id and name are known. */
  public void requireMayActOn(String realm, String person, String name) {
    AdminRights rights = rights();
    refuse(higher(realm, rights), realm, rights, grant -> isNamed(grant, person) || isNamed(grant, name));
  }

  /** As above, for a job that goes on after the request: returns why an administrator with these rights may not; empty if they may. */
  public Optional<String> refusal(AdminRights rights, String realm, String person, String name) {
    return higher(realm, rights).stream()
        .filter(grant -> isNamed(grant, person) || isNamed(grant, name))
        .findFirst()
        .map(grant -> String.valueOf(new MorePowerful(realm, grant.grant(), rights).getMessage()));
  }

  /** As {@link #requireMayActOn(String, String)}, for the person of a session. */
  public void requireMayActOn(SessionView session) {
    requireMayActOn(session.realm(), session.person(), session.name());
  }

  /** Throws {@link MorePowerful} if anybody of that realm is an administrator with a role that the current one lacks. */
  public void requireMayActOnAll(String realm) {
    AdminRights rights = rights();
    refuse(higher(realm, rights), realm, rights, grant -> true);
  }

  /**
   * Returns the roles of people of that realm that an administrator with these rights lacks. Roles are those of all nodes: people may log
   * in at another one, whose {@code admin.realm} this one does not know.
   */
  private List<PersonGrant> higher(String realm, AdminRights rights) {
    if (rights.mayEverywhere(AdministratorRole.ADMIN)) {
      return List.of();
    }
    Instant now = time.instant();
    return grants.all(realm).stream().filter(grant -> !grant.isExpired(now) && !rights.include(grant.grant())).toList();
  }

  private static void refuse(List<PersonGrant> higher, String realm, AdminRights rights, Predicate<PersonGrant> isMeant) {
    Optional<PersonGrant> found = higher.stream().filter(isMeant).findFirst();
    if (found.isPresent()) {
      throw new MorePowerful(realm, found.get().grant(), rights);
    }
  }

  private static AdminRights rights() {
    return AdminRights.ofCurrentRequest().orElse(new AdminRights(AdminRights.NODE, List.of()));
  }

  /** Also by the name at the time of the grant: then nobody is less protected while the directory is down. */
  private static boolean isNamed(PersonGrant grant, String person) {
    String given = person.strip().toLowerCase(Locale.ROOT);
    return Stream.of(grant.person().value(), grant.name())
        .map(known -> known.toLowerCase(Locale.ROOT))
        .anyMatch(known -> given.equals(known) || given.endsWith(OF_PROVIDER + known));
  }
}
