package dev.gatehouse.common.passkey;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.DatabaseTransactions;
import dev.gatehouse.common.db.group.CommitGroup;
import dev.gatehouse.common.directory.PersonId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Stores passkeys in tables. A use is one update whose condition is the rule, so that the database decides between parallel callers. */
public final class JdbcPasskeys implements Passkeys {

  private static final String OF_PASSKEY =
      "credential_id, person_id, public_key, aaguid, transports, backup_eligible, backed_up, sign_count, label, level, created_at, used_at";
  private static final String COLUMNS = "select " + OF_PASSKEY + " from passkey";
  private static final String WITH_HANDLE =
      "select p." + OF_PASSKEY.replace(", ", ", p.") + ", h.user_handle from passkey p left join passkey_person h on h.realm = p.realm"
          + " and h.person_id = p.person_id where p.realm = ? and p.credential_id = ?";
  private static final String OF_PERSON = " where realm = ? and person_id = ?";
  private static final String ONE = " where realm = ? and credential_id = ?";

  /** A notice remembers so many browsers; one person is known in fewer at a time. */
  private static final int MOST_BROWSERS = 50;

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final CommitGroup uses;

  public JdbcPasskeys(Database database) {
    this.jdbc = JdbcClient.create(database.dataSource());
    this.transaction = DatabaseTransactions.of(database);
    this.uses = new CommitGroup(database);
  }

  @Override
  public List<Passkey> of(String realm, PersonId person) {
    return jdbc.sql(COLUMNS + OF_PERSON + " order by created_at, credential_id")
        .params(realm, person.value())
        .query((row, number) -> passkey(row))
        .list();
  }

  @Override
  public Optional<Passkey> find(String realm, String id) {
    return jdbc.sql(COLUMNS + ONE).params(realm, id).query((row, number) -> passkey(row)).optional();
  }

  @Override
  public Optional<Owned> owned(String realm, String id) {
    return jdbc.sql(WITH_HANDLE)
        .params(realm, id)
        .query((row, number) -> new Owned(passkey(row), Objects.requireNonNullElse(row.getString("user_handle"), "")))
        .optional();
  }

  /** The person's row is locked, so that no two additions pass the limit together. */
  @Override
  public boolean add(String realm, Passkey passkey, String session, int limit) {
    try {
      return Boolean.TRUE.equals(transaction.execute(status -> {
        lock(realm, passkey.person());
        List<Addition> before = additions(realm, passkey.person());
        if (of(realm, passkey.person()).size() >= limit || before.stream().filter(one -> !one.isTold()).count() >= MAX_UNTOLD) {
          return false;
        }
        jdbc.sql(
                "insert into passkey (realm, credential_id, person_id, public_key, aaguid, transports, backup_eligible, backed_up,"
                    + " sign_count, label, level, created_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
            .params(
                realm, passkey.id(), passkey.person().value(), passkey.publicKey(), passkey.model().aaguid(),
                String.join(",", passkey.model().transports()), passkey.model().backupEligible(), passkey.state().backedUp(),
                passkey.state().counter(), passkey.label(), passkey.level(), utc(passkey.createdAt()))
            .update();
        // Numbers go on after those that were told and removed.
        long number = Math.max(passkey.createdAt().toEpochMilli(), before.isEmpty() ? 0 : before.getLast().number() + 1);
        jdbc.sql("insert into passkey_notice (realm, person_id, number, session_id, added_at) values (?, ?, ?, ?, ?)")
            .params(realm, passkey.person().value(), number, session, utc(passkey.createdAt()))
            .update();
        return true;
      }));
    } catch (DuplicateKeyException e) {
      return false;
    }
  }

  @Override
  public List<Addition> additions(String realm, PersonId person) {
    return jdbc.sql("select number, session_id, added_at, told_in from passkey_notice" + OF_PERSON + " order by number")
        .params(realm, person.value())
        .query(
            (row, index) ->
                new Addition(
                    row.getLong("number"), row.getString("session_id"), row.getObject("added_at", OffsetDateTime.class).toInstant(),
                    browsers(row.getString("told_in"))))
        .list();
  }

  private static List<String> browsers(String joined) {
    return joined.isEmpty() ? List.of() : List.of(joined.split(" ", -1));
  }

  /** The person's rows are locked, so that of two browsers that tell none is forgotten. */
  @Override
  public void told(String realm, PersonId person, Telling telling) {
    transaction.executeWithoutResult(status -> {
      jdbc.sql("select number from passkey_notice" + OF_PERSON + " order by number for update").params(realm, person.value()).query(Long.class).list();
      List<Addition> shown = new ArrayList<>();
      for (Addition addition : additions(realm, person)) {
        if (addition.number() <= telling.upTo() && !addition.session().equals(telling.session())) {
          tell(realm, person, addition, telling.browser());
          shown.add(addition);
        }
      }
      // Those that nobody has to be told of any more: not the ones that this call has just told.
      jdbc.sql("delete from passkey_notice" + OF_PERSON + " and told_in <> '' and added_at < ?")
          .params(realm, person.value(), utc(telling.at().minus(TOLD_FOR)))
          .update();
      shown.stream()
          .limit(Math.max(0, shown.size() - MAX_UNTOLD))
          .forEach(
              old ->
                  jdbc.sql("delete from passkey_notice" + OF_PERSON + " and number = ?")
                      .params(realm, person.value(), old.number())
                      .update());
    });
  }

  private void tell(String realm, PersonId person, Addition addition, String browser) {
    if (addition.toldIn().contains(browser)) {
      return;
    }
    List<String> browsers = new ArrayList<>(addition.toldIn());
    browsers.add(browser);
    // Whoever logs in from ever new browsers has one told again, and keeps none from being told.
    List<String> latest = browsers.subList(Math.max(0, browsers.size() - MOST_BROWSERS), browsers.size());
    jdbc.sql("update passkey_notice set told_in = ?" + OF_PERSON + " and number = ?")
        .params(String.join(" ", latest), realm, person.value(), addition.number())
        .update();
  }

  @Override
  public boolean use(String realm, String id, State now) {
    // A commit of many logins costs as much as that of one.
    return uses.run(
        realm + " " + id,
        () ->
            jdbc.sql(
                        "update passkey set sign_count = ?, backed_up = ?, used_at = ?" + ONE
                            + " and (sign_count < ? or (sign_count = 0 and ? = 0))")
                    .params(
                        now.counter(), now.backedUp(), utc(now.usedAt().orElseThrow()), realm, id, now.counter(), now.counter())
                    .update()
                > 0);
  }

  @Override
  public boolean setLevel(String realm, PersonId person, String id, String level) {
    return jdbc.sql("update passkey set level = ?" + OF_PERSON + " and credential_id = ?")
            .params(level, realm, person.value(), id)
            .update()
        > 0;
  }

  @Override
  public boolean remove(String realm, PersonId person, String id) {
    return jdbc.sql("delete from passkey" + OF_PERSON + " and credential_id = ?").params(realm, person.value(), id).update() > 0;
  }

  @Override
  public boolean removeUnlessLast(String realm, PersonId person, String id) {
    return Boolean.TRUE.equals(
        transaction.execute(
            status -> {
              lock(realm, person);
              List<Passkey> strong = of(realm, person).stream().filter(Passkey::isStrong).toList();
              boolean isLast = strong.size() == 1 && strong.getFirst().id().equals(id);
              return !isLast && remove(realm, person, id);
            }));
  }

  @Override
  public int removeAll(String realm, PersonId person) {
    return jdbc.sql("delete from passkey" + OF_PERSON).params(realm, person.value()).update();
  }

  @Override
  public boolean isOfferAnswered(String realm, PersonId person) {
    return jdbc.sql("select count(*) from passkey_offer" + OF_PERSON).params(realm, person.value()).query(Long.class).single() > 0;
  }

  @Override
  public void answerOffer(String realm, PersonId person, Instant at) {
    try {
      jdbc.sql("insert into passkey_offer (realm, person_id, answered_at) values (?, ?, ?)")
          .params(realm, person.value(), utc(at))
          .update();
    } catch (DuplicateKeyException e) {
      // The first answer counts.
    }
  }

  @Override
  public void erase(String realm, PersonId person) {
    transaction.executeWithoutResult(status -> {
      lock(realm, person);
      removeAll(realm, person);
      jdbc.sql("delete from passkey_notice" + OF_PERSON).params(realm, person.value()).update();
      jdbc.sql("delete from passkey_offer" + OF_PERSON).params(realm, person.value()).update();
      jdbc.sql("delete from passkey_person" + OF_PERSON).params(realm, person.value()).update();
    });
  }

  @Override
  public String userHandle(String realm, PersonId person, String fresh) {
    Optional<String> known = knownHandle(realm, person);
    if (known.isPresent()) {
      return known.get();
    }
    try {
      jdbc.sql("insert into passkey_person (realm, person_id, user_handle) values (?, ?, ?)")
          .params(realm, person.value(), fresh)
          .update();
      return fresh;
    } catch (DuplicateKeyException e) {
      // Another caller has just stored one.
      return knownHandle(realm, person).orElseThrow();
    }
  }

  private Optional<String> knownHandle(String realm, PersonId person) {
    return jdbc.sql("select user_handle from passkey_person" + OF_PERSON)
        .params(realm, person.value())
        .query(String.class)
        .optional();
  }

  private void lock(String realm, PersonId person) {
    jdbc.sql("select user_handle from passkey_person" + OF_PERSON + " for update")
        .params(realm, person.value())
        .query(String.class)
        .optional();
  }

  private static Passkey passkey(ResultSet row) throws SQLException {
    OffsetDateTime used = row.getObject("used_at", OffsetDateTime.class);
    String transports = row.getString("transports");
    return new Passkey(
        row.getString("credential_id"),
        new PersonId(row.getString("person_id")),
        row.getBytes("public_key"),
        new Model(
            row.getString("aaguid"), transports.isEmpty() ? List.of() : List.of(transports.split(",", -1)),
            row.getBoolean("backup_eligible")),
        new State(row.getLong("sign_count"), row.getBoolean("backed_up"), Optional.ofNullable(used).map(OffsetDateTime::toInstant)),
        row.getString("label"),
        row.getString("level"),
        row.getObject("created_at", OffsetDateTime.class).toInstant());
  }

  private static OffsetDateTime utc(Instant at) {
    return at.atOffset(ZoneOffset.UTC);
  }
}
