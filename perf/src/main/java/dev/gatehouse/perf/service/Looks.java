package dev.gatehouse.perf.service;

import dev.gatehouse.perf.harness.Markdown;
import dev.gatehouse.perf.server.GatehouseNode;
import dev.gatehouse.perf.server.ServerProcess;
import dev.gatehouse.perf.service.Slope.Sample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a soak has seen of its nodes, look by look. */
final class Looks {

  private static final double MEGABYTE = 1 << 20;

  /**
   * What the nodes wrote into logs between the first look and the last one.
   *
   * @param what a word of {@link Watched}
   * @param operations that were done in that time
   */
  record Written(String what, long operations, double bytesAnOperation) {}

  private final Map<Watched, List<Sample>> samples = new EnumMap<>(Watched.class);
  private final List<Long> operations = new ArrayList<>();
  private final List<Map<String, Double>> keys = new ArrayList<>();

  /**
   * Looks at the nodes.
   *
   * @param minute since the load began
   * @param done operations since then
   */
  void look(List<GatehouseNode> nodes, double minute, long done) throws IOException, InterruptedException {
    Map<Watched, Double> seen = new EnumMap<>(Watched.class);
    Map<String, Double> byStore = new TreeMap<>();
    for (GatehouseNode each : nodes) {
      ServerProcess process = each.process();
      seen.merge(Watched.RESIDENT, process.residentBytes() / MEGABYTE, Double::sum);
      seen.merge(Watched.HEAP, process.heapBytes() / MEGABYTE, Double::sum);
      seen.merge(Watched.FILES, (double) process.openFiles(), Double::sum);
      seen.merge(Watched.THREADS, (double) process.threads(), Double::sum);
      StoreKeys stores = StoreKeys.of(each.metrics());
      seen.merge(Watched.KEYS, stores.ending(), Double::sum);
      seen.merge(Watched.MARKS, stores.marks(), Double::sum);
      stores.byStore().forEach((store, number) -> byStore.merge(store, number, Double::sum));
      Stored.bytes(each.configured()).forEach((kind, bytes) -> seen.merge(watched(kind), bytes / MEGABYTE, Double::sum));
    }
    add(seen, minute, done);
    keys.add(byStore);
  }

  private static Watched watched(Stored kind) {
    return switch (kind) {
      case ROCKSDB -> Watched.ROCKSDB;
      case DATABASE -> Watched.DATABASE;
      case LOGS -> Watched.LOGS;
      case OTHER -> Watched.OTHER;
    };
  }

  void add(Map<Watched, Double> seen, double minute, long done) {
    seen.forEach((what, value) -> samples.computeIfAbsent(what, each -> new ArrayList<>()).add(new Sample(minute, value)));
    operations.add(done);
  }

  /** Lines through what was seen; none if that was too little. */
  Map<Watched, Growth> growth() {
    Map<Watched, Growth> growth = new EnumMap<>(Watched.class);
    samples.forEach(
        (what, seen) -> {
          if (seen.size() >= Slope.FEWEST) {
            growth.put(what, Growth.of(what, seen));
          }
        });
    return growth;
  }

  /** A table with a row for each look, in the order of {@link Watched}. */
  String lookByLook() {
    List<List<Sample>> columns = List.copyOf(samples.values());
    Markdown table =
        Markdown.table("minute | " + samples.keySet().stream().map(Watched::title).collect(Collectors.joining(" | ")));
    for (int look = 0; look < operations.size(); look++) {
      int row = look;
      String values =
          columns.stream().map(column -> Markdown.format("%,.1f", column.get(row).value())).collect(Collectors.joining(" | "));
      table.row("%.0f | %s", columns.getFirst().get(row).minute(), values);
    }
    return table.toString();
  }

  /** A table with a row for each store that has had keys. */
  String keysByStore() {
    Markdown table = Markdown.table("store | keys at the first look | at the one in the middle | at the last");
    if (!keys.isEmpty()) {
      Map<String, Double> middle = keys.get(keys.size() / 2);
      Map<String, Double> last = keys.getLast();
      keys.getFirst()
          .forEach(
              (store, first) ->
                  table.row("%s | %,.0f | %,.0f | %,.0f", store, first, middle.getOrDefault(store, 0.0), last.getOrDefault(store, 0.0)));
    }
    return table.toString();
  }

  /** Nothing as long as nothing was done between two looks. */
  Optional<Written> written() {
    long done = operations.isEmpty() ? 0 : operations.getLast() - operations.getFirst();
    if (done == 0) {
      return Optional.empty();
    }
    List<Sample> logs = Objects.requireNonNull(samples.get(Watched.LOGS), "each look has logs");
    double bytes = MEGABYTE * (logs.getLast().value() - logs.getFirst().value());
    return Optional.of(new Written(Watched.LOGS.word(), done, bytes / done));
  }
}
