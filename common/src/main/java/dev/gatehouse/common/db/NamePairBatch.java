package dev.gatehouse.common.db;

import dev.gatehouse.common.directory.NamePair;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** Inserts many pairs in one transaction; pairs that violate the table's keys are left out. */
final class NamePairBatch {

  private final JdbcTemplate jdbc;
  private final TransactionTemplate transaction;
  private final String table;
  private final boolean retires;

  NamePairBatch(Database database, String table, boolean retires) {
    this.jdbc = new JdbcTemplate(database.dataSource());
    this.transaction = DatabaseTransactions.of(database);
    this.table = table;
    this.retires = retires;
  }

  /** Returns for each pair whether it was written now. */
  List<Boolean> insert(String realm, List<NamePair> pairs) {
    return Optional.ofNullable(transaction.execute(status -> written(realm, pairs))).orElseThrow();
  }

  private List<Boolean> written(String realm, List<NamePair> pairs) {
    int[] counts =
        jdbc.batchUpdate(
            JdbcNamePairs.insertInto(table) + " on conflict do nothing",
            pairs.stream().map(pair -> JdbcNamePairs.row(realm, pair)).toList());
    Set<String> retired = retires ? retired(realm, pairs) : Set.of();
    List<Boolean> written = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      NamePair pair = pairs.get(i);
      boolean isNew = counts[i] == 1;
      if (isNew && retired.contains(pair.name())) {
        jdbc.update(
            "delete from " + table + " where realm = ? and partner = ? and name_id = ?",
            realm,
            pair.partner(),
            pair.name());
      }
      written.add(isNew && !retired.contains(pair.name()));
    }
    return written;
  }

  /** Checked after the write, as for a single pair. A join is used, because no index serves a list of values. */
  private Set<String> retired(String realm, List<NamePair> pairs) {
    String values = String.join(", ", Collections.nCopies(pairs.size(), "(cast(? as varchar))"));
    Stream<Object> names = pairs.stream().map(NamePair::name);
    Stream<Object> place = Stream.of(realm, pairs.getFirst().partner());
    return new HashSet<>(
        jdbc.queryForList(
            "select r.name_id from (values " + values + ") as wanted (name) join retired_name_id r"
                + " on r.realm = ? and r.partner = ? and r.name_id = wanted.name",
            String.class,
            Stream.concat(names, place).toArray()));
  }
}
