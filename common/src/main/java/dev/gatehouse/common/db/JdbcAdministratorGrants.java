package dev.gatehouse.common.db;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.key.AdministratorRole;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Stores the roles of people in the table {@code administrator_grant}, and the set-up code in {@code administrator_set_up}. */
public final class JdbcAdministratorGrants implements AdministratorGrants {

  private static final String SELECT =
      "select realm, person_id, granted_realm, name, role, expires_at, granted_by, granted_at from administrator_grant where realm = ?";

  /** In the column: a role for all realms. */
  private static final String ALL_REALMS = "";

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;

  public JdbcAdministratorGrants(Database database) {
    this.jdbc = JdbcClient.create(database.dataSource());
    this.transaction = DatabaseTransactions.of(database);
  }

  @Override
  public List<PersonGrant> all(String realm) {
    return jdbc.sql(SELECT + " order by name, person_id, granted_realm")
        .param(realm)
        .query((row, number) -> grant(row))
        .list();
  }

  @Override
  public List<PersonGrant> of(String realm, PersonId person) {
    return jdbc.sql(SELECT + " and person_id = ? order by granted_realm")
        .params(realm, person.value())
        .query((row, number) -> grant(row))
        .list();
  }

  @Override
  public Change put(PersonGrant grant, boolean evenLast) {
    Predicate<PersonGrant> replaced = before -> isSame(before, grant) && !grant.isLastingAdmin();
    return change(
        grant.realm(),
        replaced,
        evenLast,
        () -> {
          delete(grant.realm(), grant.person(), scope(grant.grant().realm()));
          insert(grant);
          return Change.DONE;
        });
  }

  @Override
  public Change remove(String realm, PersonId person, Optional<String> grantedRealm, boolean evenLast) {
    boolean ofAllRealms = grantedRealm.map(ALL_REALMS::equals).orElse(true);
    Predicate<PersonGrant> removed = before -> ofAllRealms && before.person().equals(person);
    return change(
        realm,
        removed,
        evenLast,
        () -> {
          int rows =
              grantedRealm.isPresent()
                  ? delete(realm, person, grantedRealm.get())
                  : jdbc.sql("delete from administrator_grant where realm = ? and person_id = ?").params(realm, person.value()).update();
          return rows > 0 ? Change.DONE : Change.ABSENT;
        });
  }

  /** Two administrators who remove each other at the same time wait for each other here, so that one of them remains. */
  private Change change(String realm, Predicate<PersonGrant> loses, boolean evenLast, Supplier<Change> work) {
    return Objects.requireNonNull(
        transaction.execute(
            status -> {
              List<PersonGrant> lasting =
                  jdbc.sql(SELECT + " and granted_realm = ? for update")
                      .params(realm, ALL_REALMS)
                      .query((row, number) -> grant(row))
                      .list()
                      .stream()
                      .filter(PersonGrant::isLastingAdmin)
                      .toList();
              boolean last = !lasting.isEmpty() && lasting.stream().allMatch(loses);
              return last && !evenLast ? Change.LAST : work.get();
            }));
  }

  private static boolean isSame(PersonGrant one, PersonGrant other) {
    return one.person().equals(other.person()) && one.grant().realm().equals(other.grant().realm());
  }

  private int delete(String realm, PersonId person, String scope) {
    return jdbc.sql("delete from administrator_grant where realm = ? and person_id = ? and granted_realm = ?")
        .params(realm, person.value(), scope)
        .update();
  }

  private void insert(PersonGrant grant) {
    jdbc.sql(
            "insert into administrator_grant (realm, person_id, granted_realm, name, role, expires_at, granted_by, granted_at)"
                + " values (?, ?, ?, ?, ?, ?, ?, ?)")
        .param(grant.realm())
        .param(grant.person().value())
        .param(scope(grant.grant().realm()))
        .param(grant.name())
        .param(grant.grant().role().word())
        .param(grant.expiresAt().map(JdbcAdministratorGrants::utc).orElse(null))
        .param(grant.grantedBy())
        .param(utc(grant.grantedAt()))
        .update();
  }

  @Override
  public boolean offerSetUp(String realm, String codeDigest, Instant expiresAt) {
    return Boolean.TRUE.equals(
        transaction.execute(
            status ->
                all(realm).isEmpty()
                    && jdbc.sql(
                                "insert into administrator_set_up (id, code_digest, expires_at) values (1, ?, ?)"
                                    + " on conflict do nothing")
                            .params(codeDigest, utc(expiresAt))
                            .update()
                        > 0));
  }

  @Override
  public Optional<String> setUp(Instant now) {
    return jdbc.sql("select code_digest from administrator_set_up where used_at is null and expires_at > ?")
        .param(utc(now))
        .query(String.class)
        .optional();
  }

  @Override
  public boolean useSetUp(String codeDigest, PersonGrant grant, Instant now) {
    return Boolean.TRUE.equals(
        transaction.execute(
            status -> {
              int used =
                  jdbc.sql(
                          "update administrator_set_up set used_at = ?"
                              + " where code_digest = ? and used_at is null and expires_at > ?")
                      .params(utc(now), codeDigest, utc(now))
                      .update();
              if (used == 0) {
                return false;
              }
              delete(grant.realm(), grant.person(), scope(grant.grant().realm()));
              insert(grant);
              return true;
            }));
  }

  private static String scope(Optional<String> grantedRealm) {
    return grantedRealm.orElse(ALL_REALMS);
  }

  private static PersonGrant grant(ResultSet row) throws SQLException {
    String granted = row.getString("granted_realm");
    String word = row.getString("role");
    AdministratorRole role =
        AdministratorRole.of(word).orElseThrow(() -> new IllegalStateException("administrator_grant has the role " + word));
    return new PersonGrant(
        row.getString("realm"),
        new PersonId(row.getString("person_id")),
        row.getString("name"),
        new AdministratorGrant(role, Optional.of(granted).filter(realm -> !realm.isEmpty())),
        Optional.ofNullable(row.getObject("expires_at", OffsetDateTime.class)).map(OffsetDateTime::toInstant),
        row.getString("granted_by"),
        row.getObject("granted_at", OffsetDateTime.class).toInstant());
  }

  private static OffsetDateTime utc(Instant time) {
    return time.atOffset(ZoneOffset.UTC);
  }
}
