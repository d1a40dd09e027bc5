package dev.gatehouse.common.db;

import dev.gatehouse.common.directory.NamePair;
import dev.gatehouse.common.directory.NamePairs;
import dev.gatehouse.common.directory.PersonId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Stores pairs in a table whose two unique keys decide every race. A second table holds names that must not be reused. */
public final class JdbcNamePairs implements NamePairs {

  /** A further try is needed only if a conflicting pair was removed while we looked for it. */
  private static final int TRIES = 5;

  static final String COLUMNS = "partner, person_id, name_id, sp_provided_id, created_at";

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final NamePairBatch batch;
  private final Optional<RetiredNames> retired;
  private final String table;
  private final InstantSource time;

  public JdbcNamePairs(Kind kind, Database database, InstantSource time) {
    this.jdbc = JdbcClient.create(database.dataSource());
    this.transaction = DatabaseTransactions.of(database);
    this.table =
        switch (kind) {
          case GIVEN -> "persistent_name_id";
          case LINKED -> "account_link";
        };
    this.retired =
        switch (kind) {
          case GIVEN -> Optional.of(new RetiredNames(jdbc, time));
          case LINKED -> Optional.empty();
        };
    this.batch = new NamePairBatch(database, table, retired.isPresent());
    this.time = time;
  }

  @Override
  public Optional<NamePair> byName(String realm, String partner, String name) {
    return select("realm = ? and partner = ? and name_id = ?", realm, partner, name).optional();
  }

  @Override
  public Optional<NamePair> byPerson(String realm, String partner, PersonId person) {
    return select("realm = ? and partner = ? and person_id = ?", realm, partner, person.value()).optional();
  }

  @Override
  public List<NamePair> ofPerson(String realm, PersonId person) {
    return select("realm = ? and person_id = ? order by partner", realm, person.value()).list();
  }

  @Override
  public List<NamePair> page(String realm, String partner, String after, int limit) {
    return select("realm = ? and partner = ? and name_id > ? order by realm, partner, name_id limit ?", realm, partner, after, limit)
        .list();
  }

  private JdbcClient.MappedQuerySpec<NamePair> select(String where, Object... params) {
    return jdbc.sql("select " + COLUMNS + " from " + table + " where " + where)
        .params(params)
        .query((row, number) -> pair(row));
  }

  static NamePair pair(ResultSet row) throws SQLException {
    return new NamePair(
        row.getString("partner"),
        new PersonId(row.getString("person_id")),
        row.getString("name_id"),
        Optional.ofNullable(row.getString("sp_provided_id")),
        row.getObject("created_at", OffsetDateTime.class).toInstant());
  }

  static String insertInto(String table) {
    return "insert into " + table + " (realm, partner, person_id, name_id, created_at) values (?, ?, ?, ?, ?)";
  }

  /** Returns the values for {@link #insertInto}. */
  static Object[] row(String realm, NamePair pair) {
    return new Object[] {
      realm, pair.partner(), pair.person().value(), pair.name(), pair.since().atOffset(ZoneOffset.UTC)
    };
  }

  @Override
  public AddResult add(String realm, String partner, NewPair newPair) {
    return decided(
        () -> insert(realm, partner, newPair),
        () -> conflict(realm, partner, newPair));
  }

  @Override
  public List<AddResult> addAll(String realm, String partner, List<NewPair> newPairs) {
    if (newPairs.isEmpty()) {
      return List.of();
    }
    Instant now = time.instant();
    List<NamePair> first = new ArrayList<>();
    Set<Object> seen = new HashSet<>();
    Set<Integer> single = new HashSet<>();
    for (int i = 0; i < newPairs.size(); i++) {
      NewPair newPair = newPairs.get(i);
      // Both are added to the set: of pairs that conflict with each other, the first one must be decided first.
      if (seen.add(newPair.name()) & seen.add(newPair.person())) {
        first.add(new NamePair(partner, newPair.person(), newPair.name(), Optional.empty(), now));
      } else {
        single.add(i);
      }
    }
    Iterator<NamePair> pairs = first.iterator();
    Iterator<Boolean> written = batch.insert(realm, first).iterator();
    List<AddResult> results = new ArrayList<>();
    for (int i = 0; i < newPairs.size(); i++) {
      Optional<NamePair> pair = single.contains(i) ? Optional.empty() : Optional.of(pairs.next());
      boolean isNew = pair.isPresent() && written.next();
      // A wish that was not written is decided singly: something conflicts, or did conflict, with it.
      results.add(isNew ? new AddResult.Added(pair.get(), true) : add(realm, partner, newPairs.get(i)));
    }
    return results;
  }

  private AddResult insert(String realm, String partner, NewPair newPair) {
    return inTransaction(
        () -> {
          NamePair pair = new NamePair(partner, newPair.person(), newPair.name(), Optional.empty(), time.instant());
          jdbc.sql(insertInto(table)).params(row(realm, pair)).update();
          return wasAnothers(realm, partner, newPair.name()) ? new AddResult.NameTaken() : new AddResult.Added(pair, true);
        });
  }

  /** Returns the reason why the wish cannot be fulfilled; empty if the conflicting pair is gone by now. */
  private Optional<AddResult> conflict(String realm, String partner, NewPair newPair) {
    return byPerson(realm, partner, newPair.person())
        .<AddResult>map(
            present ->
                present.name().equals(newPair.name())
                    ? new AddResult.Added(present, false)
                    : new AddResult.PersonTaken(present))
        .or(() -> byName(realm, partner, newPair.name()).map(present -> new AddResult.NameTaken()));
  }

  @Override
  public AddResult rename(String realm, String partner, String name, String newName) {
    if (name.equals(newName)) {
      return byName(realm, partner, name).<AddResult>map(p -> new AddResult.Added(p, false)).orElseGet(AddResult.Absent::new);
    }
    return decided(
        () -> update(realm, partner, name, newName),
        () -> byName(realm, partner, newName).map(present -> new AddResult.NameTaken()));
  }

  private AddResult update(String realm, String partner, String name, String newName) {
    return inTransaction(
        () -> {
          Optional<NamePair> present = byName(realm, partner, name);
          int changed =
              jdbc.sql("update " + table + " set name_id = ? where realm = ? and partner = ? and name_id = ?")
                  .params(newName, realm, partner, name)
                  .update();
          if (changed == 0 || present.isEmpty()) {
            return new AddResult.Absent();
          }
          retired.ifPresent(names -> names.add(realm, partner, name));
          return wasAnothers(realm, partner, newName)
              ? new AddResult.NameTaken()
              : byName(realm, partner, newName)
                  .<AddResult>map(pair -> new AddResult.Added(pair, true))
                  .orElseGet(AddResult.Absent::new);
        });
  }

  @Override
  public Optional<NamePair> provide(String realm, String partner, String name, Optional<String> spProvidedId) {
    int changed =
        jdbc.sql("update " + table + " set sp_provided_id = ? where realm = ? and partner = ? and name_id = ?")
            .param(1, spProvidedId.orElse(null))
            .param(2, realm)
            .param(3, partner)
            .param(4, name)
            .update();
    return changed == 0 ? Optional.empty() : byName(realm, partner, name);
  }

  @Override
  public Optional<NamePair> remove(String realm, String partner, String name) {
    return Optional.ofNullable(
            transaction.execute(
                status -> {
                  Optional<NamePair> present = byName(realm, partner, name);
                  int removed =
                      jdbc.sql("delete from " + table + " where realm = ? and partner = ? and name_id = ?")
                          .params(realm, partner, name)
                          .update();
                  if (removed == 0) {
                    return Optional.<NamePair>empty();
                  }
                  retired.ifPresent(names -> names.add(realm, partner, name));
                  return present;
                }))
        .flatMap(found -> found);
  }

  /** Checked after the write: a transaction that retired the name before has committed by then, since both wrote its key. */
  private boolean wasAnothers(String realm, String partner, String name) {
    return retired.filter(names -> names.contains(realm, partner, name)).isPresent();
  }

  /** Runs {@code work} in a transaction and rolls it back unless the wish was fulfilled. */
  private AddResult inTransaction(Supplier<AddResult> work) {
    AddResult result =
        transaction.execute(
            status -> {
              AddResult added = work.get();
              if (!(added instanceof AddResult.Added)) {
                status.setRollbackOnly();
              }
              return added;
            });
    return java.util.Objects.requireNonNull(result);
  }

  private static AddResult decided(Supplier<AddResult> write, Supplier<Optional<AddResult>> conflict) {
    for (int i = 0; i < TRIES; i++) {
      try {
        return write.get();
      } catch (DuplicateKeyException e) {
        Optional<AddResult> reason = conflict.get();
        if (reason.isPresent()) {
          return reason.get();
        }
      }
    }
    return new AddResult.NameTaken();
  }
}
