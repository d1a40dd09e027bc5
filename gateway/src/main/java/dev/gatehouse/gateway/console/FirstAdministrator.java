package dev.gatehouse.gateway.console;

import dev.gatehouse.common.admin.PersonLogins.PersonLogin;
import dev.gatehouse.common.db.AdministratorGrants;
import dev.gatehouse.common.db.AdministratorGrants.PersonGrant;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.AdministratorPeople;
import dev.gatehouse.gateway.administrator.SetUpLink;
import dev.gatehouse.gateway.console.PendingLogin.SetUpClaim;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** Makes the person who has the set-up link and has logged in the first administrator: everything in all realms, without an end. */
final class FirstAdministrator {

  private static final String SET_UP = "set-up link";

  private final AdministratorGrants grants;
  private final AdminAudit audit;
  private final InstantSource time;

  FirstAdministrator(AdministratorGrants grants, AdminAudit audit, InstantSource time) {
    this.grants = grants;
    this.audit = audit;
    this.time = time;
  }

  /** Returns whether that is the code of the set-up link and still counts; compared in constant time. */
  boolean isCode(String code) {
    byte[] digest = ascii(SetUpLink.digest(code));
    return grants.setUp(time.instant()).filter(known -> MessageDigest.isEqual(ascii(known), digest)).isPresent();
  }

  /**
   * Grants the role and uses the link up.
   *
   * @param begun when the person was sent to log in
   * @return what is wrong, as in the texts; empty if the role was granted
   */
  Optional<String> grant(SetUpClaim claim, PersonLogin person, Instant begun) {
    if (!person.person().value().equals(claim.person()) || person.authenticatedAt().isBefore(begun)) {
      return Optional.of("set-up-person");
    }
    Instant now = time.instant();
    if (!grants.setUp(now).equals(Optional.of(claim.codeDigest()))) {
      return Optional.of("set-up-used");
    }
    PersonGrant grant =
        new PersonGrant(person.realm(), person.person(), person.name(), AdministratorGrant.ALL, Optional.empty(), SET_UP, now);
    audit.record(
        AdminRights.NODE,
        AdministratorPeople.administrator(person.realm(), person.name()),
        "administrator.grant",
        Map.of("person", person.person().value(), "name", person.name(), "before", "-", "after", grant.grant().toString(), "by", SET_UP));
    return grants.useSetUp(claim.codeDigest(), grant, now) ? Optional.empty() : Optional.of("set-up-used");
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
