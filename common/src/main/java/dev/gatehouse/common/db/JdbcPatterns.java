package dev.gatehouse.common.db;

import dev.gatehouse.common.analytics.Batch;
import dev.gatehouse.common.analytics.Pattern;
import dev.gatehouse.common.analytics.PatternStore;
import dev.gatehouse.common.analytics.RecentLogin;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Stores logins of the last time in the table {@code recent_login}, and unusual patterns in {@code analytics_pattern}. */
public final class JdbcPatterns implements PatternStore {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final TypeReference<List<Pattern.Evidence>> EVIDENCE = new TypeReference<>() {};

  private static final int MOST_SUSPECTS = 200;
  private static final int MOST_OF_SUSPECT = 2000;
  private static final int MOST_OF_PEOPLE = 20_000;
  private static final int PAGE = 500;

  private static final String INSERT =
      "insert into recent_login (node, batch, number, seen_at, realm, succeeded, subject, name, address, network, provider)"
          + " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

  private static final String LOGIN = "select l.seen_at, l.realm, l.succeeded, l.subject, l.name, l.address, l.network, l.provider ";
  private static final String OF_BATCHES = " from recent_login where node = ? and batch > ? and batch <= ?";

  private static final String PATTERN =
      "select id, kind, realm, subject, node, first_at, last_at, amount, evidence from analytics_pattern";

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;

  public JdbcPatterns(Database database) {
    this.jdbc = JdbcClient.create(database.dataSource());
    this.transaction = DatabaseTransactions.of(database);
  }

  /** Adds the logins of a batch, in the transaction of its caller. */
  static void insert(JdbcTemplate jdbc, int node, Batch batch) {
    List<Object[]> rows = new ArrayList<>();
    for (RecentLogin login : batch.logins()) {
      rows.add(
          new Object[] {
            node, batch.number(), rows.size(), utc(login.at()), login.realm(), login.succeeded(), login.subject(), login.name(),
            login.address(), login.network(), login.provider()
          });
    }
    jdbc.batchUpdate(INSERT, rows);
  }

  @Override
  public List<Suspect> networksOfManyPeople(Batches added, Instant since, int least) {
    return jdbc.sql(
            "select realm, network as subject, sum(1 - succeeding) as suspicious from (select l.realm, l.network, l.name,"
                + " max(case when l.succeeded then 1 else 0 end) as succeeding from (select distinct realm, network" + OF_BATCHES
                + " and not succeeded) n join recent_login l on l.realm = n.realm and l.network = n.network and l.seen_at >= ?"
                + " group by l.realm, l.network, l.name) people group by realm, network"
                + " having sum(1 - succeeding) >= ? and sum(1 - succeeding) > sum(succeeding)"
                + " order by suspicious desc, realm, subject fetch first " + MOST_SUSPECTS + " rows only")
        .params(added.node(), added.after(), added.upTo(), utc(since), least)
        .query((row, index) -> suspect(row))
        .list();
  }

  @Override
  public List<Suspect> subjectsOfManyProviders(Batches added, boolean succeeded, Instant since, int least) {
    return jdbc.sql(
            "select l.realm, l.subject, count(distinct l.provider) as suspicious from (select distinct realm, subject" + OF_BATCHES
                + " and succeeded = ?) n join recent_login l on l.realm = n.realm and l.succeeded = ? and l.subject = n.subject"
                + " and l.seen_at >= ? group by l.realm, l.subject having count(distinct l.provider) >= ?"
                + " order by suspicious desc, l.realm, l.subject fetch first " + MOST_SUSPECTS + " rows only")
        .params(added.node(), added.after(), added.upTo(), succeeded, succeeded, utc(since), least)
        .query((row, index) -> suspect(row))
        .list();
  }

  private static Suspect suspect(ResultSet row) throws SQLException {
    return new Suspect(row.getString("realm"), row.getString("subject"), row.getLong("suspicious"));
  }

  @Override
  public List<RecentLogin> failuresAt(Suspect network, Instant since) {
    return jdbc.sql(
            LOGIN + "from recent_login l where l.realm = ? and l.network = ? and l.seen_at >= ? and not l.succeeded and l.name not in"
                + " (select name from recent_login where realm = ? and network = ? and seen_at >= ? and succeeded)"
                + " order by l.seen_at desc, l.node, l.batch, l.number fetch first " + MOST_OF_SUSPECT + " rows only")
        .params(network.realm(), network.subject(), utc(since), network.realm(), network.subject(), utc(since))
        .query((row, index) -> login(row))
        .list()
        .reversed();
  }

  @Override
  public List<RecentLogin> loginsOf(Suspect subject, boolean succeeded, Instant since) {
    return jdbc.sql(
            LOGIN + "from recent_login l where l.realm = ? and l.succeeded = ? and l.subject = ? and l.seen_at >= ?"
                + " order by l.seen_at desc, l.node, l.batch, l.number fetch first " + MOST_OF_SUSPECT + " rows only")
        .params(subject.realm(), succeeded, subject.subject(), utc(since))
        .query((row, index) -> login(row))
        .list()
        .reversed();
  }

  @Override
  public List<RecentLogin> loginsOfPeople(Batches added, Instant since) {
    return jdbc.sql(
            LOGIN + "from (select distinct realm, subject" + OF_BATCHES + " and succeeded) n join recent_login l"
                + " on l.realm = n.realm and l.succeeded and l.subject = n.subject and l.seen_at >= ?"
                + " order by l.realm, l.subject, l.seen_at, l.node, l.batch, l.number fetch first " + MOST_OF_PEOPLE + " rows only")
        .params(added.node(), added.after(), added.upTo(), utc(since))
        .query((row, index) -> login(row))
        .list();
  }

  private static RecentLogin login(ResultSet row) throws SQLException {
    return new RecentLogin(
        time(row, "seen_at"), row.getString("realm"), row.getBoolean("succeeded"), row.getString("subject"), row.getString("name"),
        row.getString("address"), row.getString("network"), row.getString("provider"));
  }

  @Override
  public boolean keep(Pattern pattern, int mostOfDay) {
    if (grow(pattern)) {
      return true;
    }
    Instant day = pattern.lastAt().truncatedTo(ChronoUnit.DAYS);
    int ofDay =
        jdbc.sql("select count(*) from analytics_pattern where last_at >= ? and last_at < ?")
            .params(utc(day), utc(day.plus(Duration.ofDays(1))))
            .query(Integer.class)
            .single();
    if (ofDay >= mostOfDay) {
      return false;
    }
    int added =
        jdbc.sql(
                "insert into analytics_pattern (id, kind, realm, subject, node, first_at, last_at, amount, evidence)"
                    + " values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing")
            .params(
                pattern.id(), pattern.kind().name(), pattern.realm(), pattern.subject(), pattern.node(), utc(pattern.firstAt()),
                utc(pattern.lastAt()), pattern.count(), JSON.writeValueAsString(pattern.evidence()))
            .update();
    // Another node noticed it at the same time.
    return added > 0 || grow(pattern);
  }

  private boolean grow(Pattern pattern) {
    return jdbc.sql(
                "update analytics_pattern set first_at = least(first_at, ?), last_at = greatest(last_at, ?),"
                    + " amount = greatest(amount, ?), evidence = ? where id = ?")
            .params(
                utc(pattern.firstAt()), utc(pattern.lastAt()), pattern.count(), JSON.writeValueAsString(pattern.evidence()), pattern.id())
            .update()
        > 0;
  }

  @Override
  public List<Pattern> patterns(Optional<String> realm, Instant from, Instant to, int limit) {
    return jdbc.sql(
            PATTERN + " where last_at >= ? and first_at < ? and (? or realm = ?) order by last_at desc, id fetch first ? rows only")
        .params(utc(from), utc(to), realm.isEmpty(), realm.orElse(""), limit)
        .query((row, index) -> pattern(row))
        .list();
  }

  private static Pattern pattern(ResultSet row) throws SQLException {
    return new Pattern(
        row.getString("id"), Pattern.Kind.valueOf(row.getString("kind")), row.getString("realm"), row.getString("subject"),
        row.getInt("node"), time(row, "first_at"), time(row, "last_at"), row.getLong("amount"),
        JSON.readValue(row.getString("evidence"), EVIDENCE));
  }

  @Override
  public void dropPatterns(Instant before) {
    jdbc.sql("delete from analytics_pattern where last_at < ?").param(utc(before)).update();
  }

  @Override
  public void dropLogins(Instant failedBefore, Instant succeededBefore) {
    jdbc.sql("delete from recent_login where seen_at < ? and not succeeded").param(utc(failedBefore)).update();
    jdbc.sql("delete from recent_login where seen_at < ? and succeeded").param(utc(succeededBefore)).update();
  }

  @Override
  public void keepLatestLogins(int node, int most) {
    jdbc.sql("select seen_at from recent_login where node = ? order by seen_at desc offset ? rows fetch next 1 rows only")
        .params(node, most)
        .query((row, index) -> time(row, "seen_at"))
        .optional()
        .ifPresent(last -> jdbc.sql("delete from recent_login where node = ? and seen_at <= ?").params(node, utc(last)).update());
  }

  @Override
  public OfPerson ofPerson(Erased person) {
    return new OfPerson(logins(person), patterns(person).stream().filter(pattern -> isAbout(pattern, names(person))).toList());
  }

  private List<RecentLogin> logins(Erased person) {
    return jdbc.sql(
            LOGIN + "from recent_login l where l.realm = :realm and (l.succeeded and l.subject = :id or lower(l.name) in (:names))"
                + " order by l.seen_at, l.node, l.batch, l.number")
        .param("realm", person.realm())
        .param("id", RecentLogin.storable(person.id()))
        .param("names", names(person))
        .query((row, index) -> login(row))
        .list();
  }

  /** Returns the names of the person in small letters: those that are known, and those that were typed lately. */
  private Set<String> names(Erased person) {
    Set<String> names = new HashSet<>(List.of(small(RecentLogin.storable(person.id())), small(RecentLogin.storable(person.name()))));
    jdbc.sql("select distinct name from recent_login where realm = ? and succeeded and subject = ?")
        .params(person.realm(), RecentLogin.storable(person.id()))
        .query((row, index) -> small(row.getString("name")))
        .list()
        .forEach(names::add);
    return names;
  }

  private static String small(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  /** Returns the patterns of the realm that name the person. */
  private List<Pattern> patterns(Erased person) {
    Set<String> names = names(person);
    List<Pattern> found = new ArrayList<>();
    for (String last = ""; ; ) {
      List<Pattern> page =
          jdbc.sql(PATTERN + " where realm = ? and id > ? order by id fetch first " + PAGE + " rows only")
              .params(person.realm(), last)
              .query((row, index) -> pattern(row))
              .list();
      page.stream().filter(one -> isAbout(one, names) || one.evidence().stream().anyMatch(event -> isOf(event, names))).forEach(found::add);
      if (page.size() < PAGE) {
        return found;
      }
      last = page.getLast().id();
    }
  }

  /** The subject of the one other kind is an address. */
  private static boolean isAbout(Pattern pattern, Set<String> names) {
    return pattern.kind() != Pattern.Kind.ONE_ADDRESS_MANY_PEOPLE && names.contains(small(pattern.subject()));
  }

  private static boolean isOf(Pattern.Evidence event, Set<String> names) {
    return names.contains(small(event.name()));
  }

  @Override
  public OfPerson erase(Erased person) {
    OfPerson stored = ofPerson(person);
    Set<String> names = names(person);
    transaction.executeWithoutResult(
        status -> {
          patterns(person).forEach(pattern -> erase(pattern, names));
          jdbc.sql("delete from recent_login where realm = :realm and (succeeded and subject = :id or lower(name) in (:names))")
              .param("realm", person.realm())
              .param("id", RecentLogin.storable(person.id()))
              .param("names", names)
              .update();
        });
    return stored;
  }

  private void erase(Pattern pattern, Set<String> names) {
    if (isAbout(pattern, names)) {
      jdbc.sql("delete from analytics_pattern where id = ?").param(pattern.id()).update();
      return;
    }
    String others = JSON.writeValueAsString(pattern.evidence().stream().filter(event -> !isOf(event, names)).toList());
    jdbc.sql("update analytics_pattern set evidence = ? where id = ?").params(others, pattern.id()).update();
  }

  private static Instant time(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  private static OffsetDateTime utc(Instant at) {
    return at.atOffset(ZoneOffset.UTC);
  }
}
