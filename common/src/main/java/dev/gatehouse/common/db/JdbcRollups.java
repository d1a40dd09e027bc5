package dev.gatehouse.common.db;

import dev.gatehouse.common.analytics.Amount;
import dev.gatehouse.common.analytics.Batch;
import dev.gatehouse.common.analytics.Dimension;
import dev.gatehouse.common.analytics.Resolution;
import dev.gatehouse.common.analytics.RollupStore;
import dev.gatehouse.common.analytics.Series;
import dev.gatehouse.common.analytics.SeriesKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Stores analytics in the tables {@code analytics_amount} and {@code analytics_progress}. An amount is added to its minute, hour and day
 * in one transaction, so that the three never differ.
 */
public final class JdbcRollups implements RollupStore {

  private static final String KEY = "resolution, series, realm, dimension, begins_at, label, node";
  private static final List<String> BUCKETS = IntStream.range(0, Amount.BUCKETS).mapToObj(i -> "bucket" + i).toList();

  private static final String UPDATE =
      "update analytics_amount set samples = samples + ?, total = total + ?, peak = greatest(peak, ?), "
          + BUCKETS.stream().map(bucket -> bucket + " = " + bucket + " + ?").collect(Collectors.joining(", "))
          + " where resolution = ? and series = ? and realm = ? and dimension = ? and begins_at = ? and label = ? and node = ?";

  private static final String INSERT =
      "insert into analytics_amount (samples, total, peak, " + String.join(", ", BUCKETS) + ", " + KEY + ") values ("
          + String.join(", ", Collections.nCopies(3 + Amount.BUCKETS + 7, "?")) + ")";

  private final JdbcClient jdbc;
  private final JdbcTemplate batches;
  private final TransactionTemplate transaction;

  public JdbcRollups(Database database) {
    this.jdbc = JdbcClient.create(database.dataSource());
    this.batches = new JdbcTemplate(database.dataSource());
    this.transaction = DatabaseTransactions.of(database);
  }

  @Override
  public Optional<Progress> progress(int node) {
    return jdbc.sql("select batches, followed from analytics_progress where node = ?")
        .param(node)
        .query((row, index) -> new Progress(row.getLong("batches"), row.getLong("followed")))
        .optional();
  }

  @Override
  public void begin(int node, long followed) {
    int known = jdbc.sql("update analytics_progress set followed = ? where node = ?").params(followed, node).update();
    if (known == 0) {
      jdbc.sql("insert into analytics_progress (node, batches, followed) values (?, 0, ?)").params(node, followed).update();
    }
  }

  @Override
  public void add(int node, Batch batch) {
    transaction.executeWithoutResult(
        status -> {
          int next =
              jdbc.sql("update analytics_progress set batches = ?, followed = ? where node = ? and batches < ?")
                  .params(batch.number(), batch.followed(), node, batch.number())
                  .update();
          if (next == 0) {
            return;
          }
          for (Resolution resolution : Resolution.values()) {
            add(node, resolution, batch.minutes());
          }
          JdbcPatterns.insert(batches, node, batch);
        });
  }

  private void add(int node, Resolution resolution, Map<Instant, Map<SeriesKey, Amount>> minutes) {
    Map<Instant, Map<SeriesKey, Amount>> periods = new HashMap<>();
    minutes.forEach(
        (minute, amounts) -> {
          Map<SeriesKey, Amount> period = periods.computeIfAbsent(resolution.floor(minute), begin -> new HashMap<>());
          amounts.forEach((key, amount) -> period.merge(key, amount, Amount::plus));
        });
    List<Object[]> rows = new ArrayList<>();
    periods.forEach((begin, amounts) -> amounts.forEach((key, amount) -> rows.add(row(node, resolution, begin, key, amount))));
    int[] updated = batches.batchUpdate(UPDATE, rows);
    List<Object[]> added = IntStream.range(0, rows.size()).filter(i -> updated[i] == 0).mapToObj(rows::get).toList();
    batches.batchUpdate(INSERT, added);
  }

  /** In the order of the parameters of both statements. */
  private static Object[] row(int node, Resolution resolution, Instant begin, SeriesKey key, Amount amount) {
    List<Object> row = new ArrayList<>(List.of(amount.samples(), amount.total(), amount.peak()));
    for (long count : amount.buckets()) {
      row.add(count);
    }
    row.addAll(
        List.of(
            resolution.ordinal(), key.series().word(), key.realm(), key.dimension().word(), begin.atOffset(ZoneOffset.UTC),
            key.label(), node));
    return row.toArray();
  }

  @Override
  public List<Row> read(Resolution resolution, Series series, String realm, Dimension dimension, Instant from, Instant to) {
    return jdbc.sql(
            "select begins_at, label, samples, total, peak, " + String.join(", ", BUCKETS) + " from analytics_amount"
                + " where resolution = ? and series = ? and realm = ? and dimension = ? and begins_at >= ? and begins_at < ?"
                + " order by resolution, series, realm, dimension, begins_at, label")
        .params(
            resolution.ordinal(), series.word(), realm, dimension.word(), from.atOffset(ZoneOffset.UTC), to.atOffset(ZoneOffset.UTC))
        .query((row, index) -> new Row(time(row, "begins_at"), row.getString("label"), amount(row)))
        .list();
  }

  private static Amount amount(ResultSet row) throws SQLException {
    long[] buckets = new long[Amount.BUCKETS];
    for (int i = 0; i < buckets.length; i++) {
      buckets[i] = row.getLong(BUCKETS.get(i));
    }
    return Amount.stored(row.getLong("samples"), row.getDouble("total"), row.getDouble("peak"), buckets);
  }

  private static Instant time(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  @Override
  public void drop(Resolution resolution, Instant before) {
    jdbc.sql("delete from analytics_amount where resolution = ? and begins_at < ?")
        .params(resolution.ordinal(), before.atOffset(ZoneOffset.UTC))
        .update();
  }
}
