package dev.gatehouse.perf.faults;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.installation.StoreDamaged;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.RocksStores;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.StoreUnavailable;
import dev.gatehouse.common.store.TakeResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Flips one bit in the files of RocksDB and H2 as kill -9 leaves them: the stores must either open with every used code
 * and every committed row, or refuse to open.
 */
final class FlippedBytes implements FaultCase {

  private static final int CODES = 2_000;
  private static final int TRIES = 150;
  private static final long SEED = 11;
  private static final int ROWS_AT_ONCE = 500;
  private static final String CONTENT = "what was acknowledged ".repeat(6);

  private enum Outcome {
    REFUSED,
    WHOLE,
    LESS
  }

  @Override
  public String name() {
    return "flipped-bytes";
  }

  @Override
  public String description() {
    return "flips one bit at any position in a file of RocksDB or H2, then starts with it";
  }

  @Override
  public List<Figure> run(FaultContext context) throws Exception {
    Path image = context.work().resolve("image");
    long position = fill(context.work().resolve("data"), image);
    Path untouched = context.work().resolve("untouched");
    copy(image, untouched);
    boolean isControlWhole = open(untouched, position) == Outcome.WHOLE;
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);
    List<Path> files = files(image);
    int[] counts = new int[Outcome.values().length];
    for (int i = 0; i < TRIES; i++) {
      Path damaged = context.work().resolve("damaged" + i);
      copy(image, damaged);
      Path file = damaged.resolve("rocksdb").resolve(files.get(random.nextInt(files.size())).getFileName());
      byte[] bytes = Files.readAllBytes(file);
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      Files.write(file, bytes);
      Outcome outcome = open(damaged, position);
      counts[outcome.ordinal()]++;
      if (outcome == Outcome.LESS) {
        context.progress("less than was acknowledged after a flip in " + file);
      }
    }
    List<Figure> figures = new ArrayList<>(figures("RocksDB", isControlWhole, counts));
    figures.addAll(database(context, random));
    return figures;
  }

  private static List<Figure> figures(String engine, boolean isControlWhole, int[] counts) {
    return List.of(
        Figure.holds(engine + ": a start without a flip has everything", isControlWhole),
        Figure.atMost(0, engine + ": starts with less than was acknowledged", counts[Outcome.LESS.ordinal()], ""),
        Figure.reported(engine + ": starts that were refused", counts[Outcome.REFUSED.ordinal()], ""),
        Figure.reported(engine + ": starts with everything (the bit was of no use)", counts[Outcome.WHOLE.ordinal()], ""));
  }

  private static List<Figure> database(FaultContext context, RandomGenerator random) throws IOException {
    Path image = context.work().resolve("database-image");
    fillDatabase(context.work().resolve("database"), image);
    Path tried = context.work().resolve("database-tried");
    Folders.copy(image.resolve("h2"), tried.resolve("h2"));
    boolean isControlWhole = openDatabase(tried) == Outcome.WHOLE;
    int[] counts = new int[Outcome.values().length];
    for (int i = 0; i < TRIES; i++) {
      Folders.copy(image.resolve("h2"), tried.resolve("h2"));
      Path file = tried.resolve("h2/gatehouse.mv.db");
      byte[] bytes = Files.readAllBytes(file);
      int at = random.nextInt(bytes.length);
      bytes[at] ^= (byte) (1 << random.nextInt(8));
      Files.write(file, bytes);
      Outcome outcome = openDatabase(tried);
      counts[outcome.ordinal()]++;
      if (outcome == Outcome.LESS) {
        context.progress("less than was acknowledged after a flip at " + at + " of " + file);
      }
    }
    return figures("H2", isControlWhole, counts);
  }

  private static void fillDatabase(Path data, Path image) throws IOException {
    try (Database database = Database.embedded(data)) {
      JdbcClient jdbc = JdbcClient.create(database.dataSource());
      jdbc.sql("create table filled (id integer primary key, content varchar(200))").update();
      // Many rows per commit, because with single commits most of the file is free space.
      String rows = String.join(",", Collections.nCopies(ROWS_AT_ONCE, "(?, ?)"));
      for (int i = 0; i < CODES; i += ROWS_AT_ONCE) {
        List<Object> values = new ArrayList<>();
        for (int row = i; row < i + ROWS_AT_ONCE; row++) {
          values.addAll(List.of(row, content(row)));
        }
        jdbc.sql("insert into filled (id, content) values " + rows).params(values).update();
      }
      Folders.copy(data.resolve("h2"), image.resolve("h2"));
    }
  }

  private static String content(int row) {
    return CONTENT + row;
  }

  private static Outcome openDatabase(Path data) {
    try (Database database = Database.embedded(data)) {
      List<String> expected = IntStream.range(0, CODES).mapToObj(FlippedBytes::content).toList();
      List<String> found =
          JdbcClient.create(database.dataSource()).sql("select content from filled order by id").query(String.class).list();
      return found.equals(expected) ? Outcome.WHOLE : Outcome.LESS;
    } catch (StoreDamaged e) {
      return Outcome.REFUSED;
    }
  }

  private static long fill(Path data, Path image) throws IOException {
    InstantSource time = InstantSource.system();
    try (RocksStores stores = new RocksStores(data, time)) {
      SingleUseStore<String> codes = stores.singleUse("codes", new JsonCodec<>(String.class));
      for (int i = 0; i < CODES; i++) {
        codes.put("code" + i, "value", time.instant().plus(Duration.ofHours(2)));
        codes.take("code" + i);
      }
      copy(data, image);
      return stores.position();
    }
  }

  private static Outcome open(Path data, long position) {
    try (RocksStores stores = new RocksStores(data, InstantSource.system())) {
      SingleUseStore<String> codes = stores.singleUse("codes", new JsonCodec<>(String.class));
      boolean isWhole = stores.position() >= position;
      for (int i = 0; isWhole && i < CODES; i++) {
        isWhole = codes.take("code" + i) instanceof TakeResult.Replayed<String>;
      }
      // The node's start refuses a store that ends before its noted position.
      return isWhole ? Outcome.WHOLE : stores.position() < position ? Outcome.REFUSED : Outcome.LESS;
    } catch (StoreDamaged | StoreUnavailable e) {
      return Outcome.REFUSED;
    }
  }

  /** The files that RocksDB needs; its log and options are for people. */
  private static List<Path> files(Path image) throws IOException {
    try (Stream<Path> all = Files.list(image.resolve("rocksdb"))) {
      return all.filter(file -> file.getFileName().toString().matches("[0-9]+\\.(sst|log)|MANIFEST-.*|CURRENT"))
          .filter(file -> file.toFile().length() > 0)
          .sorted()
          .toList();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Folders.copy(from.resolve("rocksdb"), to.resolve("rocksdb"));
  }
}
