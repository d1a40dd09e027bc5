package dev.gatehouse.common.otp;

import static dev.gatehouse.common.otp.TokenRows.PERSON;
import static dev.gatehouse.common.otp.TokenRows.instant;
import static dev.gatehouse.common.otp.TokenRows.text;
import static dev.gatehouse.common.otp.TokenRows.time;
import static dev.gatehouse.common.otp.TokenRows.utc;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.KnownPerson.Status;
import dev.gatehouse.common.otp.PeopleRun.Numbers;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.springframework.jdbc.core.JdbcTemplate;

/** The register of a realm's people who may have tokens, and the runs that made it. Blocks: call on virtual threads only. */
public final class KnownPeople {

  /** Runs of a realm that are kept. */
  static final int MOST_RUNS = 50;

  /** When a run did something last, as far as it is known. */
  private static final String LAST = "coalesce(ended_at, started_at)";

  /** The time for which runs are kept in which people left, because the limit counts them. */
  private static final Duration COUNTED = Duration.ofDays(2);

  private static final String COLUMNS = "person_id, name, display_name, mail, place, group_names, status, seen_at, gone_at";
  private static final String INSERT =
      "insert into otp_known_person (realm, source, " + COLUMNS + ") values (?, 'directory', ?, ?, ?, ?, ?, ?, ?, ?, ?)";
  private static final String UPDATE =
      "update otp_known_person set name = ?, display_name = ?, mail = ?, place = ?, group_names = ?, status = ?, seen_at = ?, gone_at = ?"
          + PERSON;
  private static final String RUN_COLUMNS =
      "number, started_by, started_at, ended_at, state, found, added, changed, moved, returned, gone, rejected, tokens, problem, remarks";

  /** Whose tokens a change is about that is of the register alone. */
  private static final List<String> NOBODY = List.of();

  private final TokenRows rows;
  private final JdbcTemplate batches;

  public KnownPeople(Database database) {
    this.rows = new TokenRows(database);
    this.batches = new JdbcTemplate(database.dataSource());
  }

  /** Returns all people of the realm by id, also those who are gone. */
  public Map<PersonId, KnownPerson> all(String realm) {
    Map<PersonId, KnownPerson> all = new HashMap<>();
    rows.jdbc.sql("select " + COLUMNS + " from otp_known_person where realm = ?")
        .param(realm)
        .query(
            row -> {
              KnownPerson person = person(row);
              all.put(person.id(), person);
            });
    return all;
  }

  /** Returns at most {@code limit} people by id, from the one after {@code after}, whose name begins with the text, in any case. */
  public List<KnownPerson> list(String realm, String name, Optional<Status> status, String after, int limit) {
    StringBuilder sql = new StringBuilder("select " + COLUMNS + " from otp_known_person where realm = ? and person_id > ?");
    List<Object> values = new ArrayList<>(List.of(realm, after));
    if (!name.isEmpty()) {
      sql.append(" and lower(name) like lower(?) escape '!'");
      values.add(name.replaceAll("[!%_]", "!$0") + "%");
    }
    status.ifPresent(
        wanted -> {
          sql.append(" and status = ?");
          values.add(wanted.name());
        });
    values.add(limit);
    return rows.jdbc.sql(sql + " order by realm, person_id limit ?").params(values).query((row, number) -> person(row)).list();
  }

  public Optional<KnownPerson> find(String realm, PersonId person) {
    return rows.jdbc.sql("select " + COLUMNS + " from otp_known_person" + PERSON)
        .params(realm, person.value())
        .query((row, number) -> person(row))
        .optional();
  }

  private static KnownPerson person(ResultSet row) throws SQLException {
    return new KnownPerson(
        new PersonId(row.getString("person_id")), row.getString("name"), row.getString("display_name"), row.getString("mail"),
        row.getString("place"), row.getString("group_names").lines().toList(), Status.valueOf(row.getString("status")),
        instant(row, "seen_at").orElseThrow(), instant(row, "gone_at"));
  }

  /** Adds people whom the register does not have, and changes others, also those who were gone. */
  public void write(String realm, Collection<KnownPerson> added, Collection<KnownPerson> changed) {
    rows.transaction.executeWithoutResult(
        status -> {
          batches.batchUpdate(INSERT, added.stream().map(person -> inserted(realm, person)).toList());
          batches.batchUpdate(UPDATE, changed.stream().map(person -> updated(realm, person)).toList());
        });
  }

  private static Object[] inserted(String realm, KnownPerson person) {
    return new Object[] {
      realm, person.id().value(), person.name(), person.displayName(), person.mail(), person.place(), String.join("\n", person.groups()),
      person.status().name(), utc(person.seenAt()), time(person.goneAt())
    };
  }

  private static Object[] updated(String realm, KnownPerson person) {
    return new Object[] {
      person.name(), person.displayName(), person.mail(), person.place(), String.join("\n", person.groups()), person.status().name(),
      utc(person.seenAt()), time(person.goneAt()), realm, person.id().value()
    };
  }

  /**
   * A token that was a gone person's.
   *
   * @param isDeleted whether it was, because its person had set it up and has the seed; others are for somebody else
   */
  public record Returned(String serial, boolean isDeleted) {}

  /**
   * Notes that a person is gone, and takes their tokens and what is stored for them back, in one transaction. Apps stay with the person, as
   * passkeys do: they are the second step of a login, for which the directory is asked. Whoever assigns a token at the same time either
   * comes before, and it is taken back, or sees that the person is gone.
   *
   * @param told learns the tokens; if it fails, nothing is done
   */
  public List<Returned> leave(String realm, PersonId person, Instant at, Consumer<List<Returned>> told) {
    return CountedUpdates.about(realm, person, () -> left(realm, person, at, told));
  }

  private List<Returned> left(String realm, PersonId person, Instant at, Consumer<List<Returned>> told) {
    List<Returned> returned = new ArrayList<>();
    rows.transaction.executeWithoutResult(
        status -> {
          int left =
              rows.jdbc.sql("update otp_known_person set status = 'GONE', gone_at = ?" + PERSON + " and status <> 'GONE'")
                  .params(utc(at), realm, person.value())
                  .update();
          // The limit counts whoever left, also those who return: with the change, or not at all.
          rows.jdbc.sql("update otp_people_run set gone = gone + ? where realm = ? and state = 'RUNNING'").params(left, realm).update();
          rows.inTransaction(realm, person, () -> returned.addAll(rows.takeAllButApps(realm, person)));
          told.accept(returned);
        });
    return returned;
  }

  /** Returns how many tokens each person of the realm has. */
  public Map<PersonId, Long> tokens(String realm) {
    Map<PersonId, Long> tokens = new HashMap<>();
    String mine = "realm = ? and person_id is not null and kind <> 'APP'";
    rows.jdbc.sql("select person_id, count(*) as tokens from otp_token where " + mine + " group by person_id")
        .param(realm)
        .query(
            row -> {
              tokens.put(new PersonId(row.getString("person_id")), row.getLong("tokens"));
            });
    return tokens;
  }

  /** Returns how many people left since, also those who have returned. */
  public long goneSince(String realm, Instant since) {
    return rows.jdbc.sql("select coalesce(sum(gone), 0) from otp_people_run where realm = ? and " + LAST + " > ?")
        .params(realm, utc(since))
        .query(Long.class)
        .single();
  }

  /** Removes what the register has of a person; returns whether it had them. The next synchronisation adds whom the directory has. */
  public boolean erase(String realm, PersonId person) {
    String delete = "delete from otp_known_person" + PERSON;
    return CountedUpdates.about(realm, person, () -> rows.jdbc.sql(delete).params(realm, person.value()).update() > 0);
  }

  /** Begins a run; one that was left running counts as interrupted. Returns its number. */
  public long begin(String realm, String by, Instant at) {
    Long[] number = {0L};
    rows.transaction.executeWithoutResult(
        status -> {
          rows.jdbc.sql("update otp_people_run set state = 'INTERRUPTED' where realm = ? and state = 'RUNNING'").param(realm).update();
          String next = "select coalesce(max(number), 0) + 1 from otp_people_run where realm = ?";
          number[0] = rows.jdbc.sql(next).param(realm).query(Long.class).single();
          String begun = ") values (?, ?, ?, ?, null, 'RUNNING', 0, 0, 0, 0, 0, 0, 0, 0, null, '')";
          rows.jdbc.sql("insert into otp_people_run (realm, " + RUN_COLUMNS + begun)
              .params(realm, number[0], by, utc(at))
              .update();
          rows.jdbc.sql("delete from otp_people_run where realm = ? and number <= ? and (gone = 0 or " + LAST + " < ?)")
              .params(realm, number[0] - MOST_RUNS, utc(at.minus(COUNTED)))
              .update();
        });
    return number[0];
  }

  /** Notes how far a run is, or how it ended; does nothing to one that counts as interrupted. */
  public void note(String realm, PeopleRun run) {
    CountedUpdates.about(NOBODY, () -> noted(realm, run));
  }

  private void noted(String realm, PeopleRun run) {
    Numbers n = run.numbers();
    rows.jdbc.sql(
            "update otp_people_run set ended_at = ?, state = ?, found = ?, added = ?, changed = ?, moved = ?, returned = ?, gone = ?,"
                + " rejected = ?, tokens = ?, problem = ?, remarks = ? where realm = ? and number = ? and state = 'RUNNING'")
        .params(
            time(run.endedAt()), run.state().name(), n.found(), n.added(), n.changed(), n.moved(), n.returned(), n.gone(), n.rejected(),
            n.tokens(), text(run.problem()), String.join("\n", run.remarks()), realm, run.number())
        .update();
  }

  /** Returns the runs of the realm, the newest first. */
  public List<PeopleRun> runs(String realm, int limit) {
    return rows.jdbc.sql("select " + RUN_COLUMNS + " from otp_people_run where realm = ? order by number desc limit ?")
        .params(realm, limit)
        .query((row, number) -> run(row))
        .list();
  }

  private static PeopleRun run(ResultSet row) throws SQLException {
    return new PeopleRun(
        row.getLong("number"), row.getString("started_by"), instant(row, "started_at").orElseThrow(), instant(row, "ended_at"),
        PeopleRun.State.valueOf(row.getString("state")),
        new Numbers(
            row.getLong("found"), row.getLong("added"), row.getLong("changed"), row.getLong("moved"), row.getLong("returned"),
            row.getLong("gone"), row.getLong("rejected"), row.getLong("tokens")),
        Optional.ofNullable(row.getString("problem")), row.getString("remarks").lines().toList());
  }
}
