package dev.gatehouse.common.analytics.collect;

import dev.gatehouse.common.analytics.Amount;
import dev.gatehouse.common.analytics.RollupStore;
import dev.gatehouse.common.analytics.Series;
import dev.gatehouse.common.analytics.SeriesKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The totals of the last minutes by second, of this node, in memory. */
final class LiveSums {

  /** More series of realms are left out, so that thousands of busy realms do not fill the heap. */
  private static final int MOST = 200;

  private record Key(Series series, String realm) {}

  private final TreeMap<Long, Map<Key, Amount>> seconds = new TreeMap<>();

  synchronized void add(Instant at, Series series, String realm, Amount amount) {
    Map<Key, Amount> second = seconds.computeIfAbsent(at.getEpochSecond(), begin -> new HashMap<>());
    Key key = new Key(series, realm);
    if (second.size() < MOST || realm.equals(SeriesKey.ALL_REALMS) || second.containsKey(key)) {
      second.merge(key, amount, Amount::plus);
    }
  }

  /** Removes what is older than is kept, and what is in the future because the clock was set back. */
  synchronized void expire(Instant now) {
    seconds.headMap(now.minus(Analytics.LIVE).getEpochSecond()).clear();
    seconds.tailMap(now.getEpochSecond(), false).clear();
  }

  /** Returns the seconds with an amount, the oldest first. */
  synchronized List<RollupStore.Row> read(Series series, String realm) {
    Key key = new Key(series, realm);
    List<RollupStore.Row> rows = new ArrayList<>();
    seconds.forEach(
        (second, amounts) -> {
          Amount amount = amounts.get(key);
          if (amount != null) {
            rows.add(new RollupStore.Row(Instant.ofEpochSecond(second), "", amount));
          }
        });
    return rows;
  }
}
