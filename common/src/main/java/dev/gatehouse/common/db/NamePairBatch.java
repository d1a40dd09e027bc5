package dev.gatehouse.common.db;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.federation.NamePair;
import dev.gatehouse.common.federation.NamePairs.Adding;
import dev.gatehouse.common.federation.NamePairs.Wish;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Many pairs in one transaction: what is in the way is read first, then all the others go in as one batch. */
final class NamePairBatch {

  private final JdbcTemplate jdbc;
  private final NamedParameterJdbcTemplate named;
  private final TransactionTemplate transaction;
  private final String table;
  private final boolean retires;
  private final InstantSource time;

  NamePairBatch(Database database, String table, boolean retires, InstantSource time) {
    this.jdbc = new JdbcTemplate(database.dataSource());
    this.named = new NamedParameterJdbcTemplate(jdbc);
    this.transaction = new TransactionTemplate(new DataSourceTransactionManager(database.dataSource()));
    this.table = table;
    this.retires = retires;
    this.time = time;
  }

  /** Empty where somebody else wrote one of these pairs meanwhile; nothing was written then. */
  Optional<List<Adding>> tryAll(String realm, String partner, List<Wish> wishes) {
    if (wishes.isEmpty()) {
      return Optional.of(List.of());
    }
    try {
      return Optional.ofNullable(transaction.execute(status -> write(realm, partner, wishes)));
    } catch (DuplicateKeyException e) {
      return Optional.empty();
    }
  }

  private List<Adding> write(String realm, String partner, List<Wish> wishes) {
    List<String> names = wishes.stream().map(Wish::name).toList();
    Map<PersonId, NamePair> ofPerson = new HashMap<>();
    Set<String> taken = new HashSet<>();
    List<String> people = wishes.stream().map(wish -> wish.person().value()).toList();
    select("person_id", realm, partner, people).forEach(pair -> ofPerson.put(pair.person(), pair));
    select("name_id", realm, partner, names).forEach(pair -> taken.add(pair.name()));
    Instant now = time.instant();
    List<Object[]> rows = new ArrayList<>();
    List<Adding> results = new ArrayList<>();
    for (Wish wish : wishes) {
      NamePair present = ofPerson.get(wish.person());
      if (present != null) {
        boolean same = present.name().equals(wish.name());
        results.add(same ? new Adding.Added(present, false) : new Adding.PersonTaken(present));
      } else if (!taken.add(wish.name())) {
        results.add(new Adding.NameTaken());
      } else {
        NamePair pair = new NamePair(partner, wish.person(), wish.name(), Optional.empty(), now);
        ofPerson.put(wish.person(), pair);
        rows.add(JdbcNamePairs.row(realm, pair));
        results.add(new Adding.Added(pair, true));
      }
    }
    insert(rows);
    return retires ? withoutRetired(realm, partner, names, results) : results;
  }

  private void insert(List<Object[]> rows) {
    if (!rows.isEmpty()) {
      jdbc.batchUpdate(JdbcNamePairs.insertInto(table), rows);
    }
  }

  /** Takes names that were retired out again: looked at after the write, as for a single pair. */
  private List<Adding> withoutRetired(String realm, String partner, List<String> names, List<Adding> results) {
    Set<String> retired =
        new HashSet<>(
            named.queryForList(
                "select name_id from retired_name_id where realm = :realm and partner = :partner and name_id in (:values)",
                Map.of("realm", realm, "partner", partner, "values", names),
                String.class));
    if (retired.isEmpty()) {
      return results;
    }
    return results.stream()
        .map(
            result ->
                result instanceof Adding.Added(NamePair pair, boolean isNew) && isNew && retired.contains(pair.name())
                    ? takenOut(realm, pair)
                    : result)
        .toList();
  }

  private Adding takenOut(String realm, NamePair pair) {
    jdbc.update(
        "delete from " + table + " where realm = ? and partner = ? and name_id = ?",
        realm,
        pair.partner(),
        pair.name());
    return new Adding.NameTaken();
  }

  private List<NamePair> select(String column, String realm, String partner, List<String> values) {
    return named.query(
        "select " + JdbcNamePairs.COLUMNS + " from " + table + " where realm = :realm and partner = :partner and " + column
            + " in (:values)",
        Map.of("realm", realm, "partner", partner, "values", values),
        (row, number) -> JdbcNamePairs.pair(row));
  }

}
