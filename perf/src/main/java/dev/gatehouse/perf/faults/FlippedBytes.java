package dev.gatehouse.perf.faults;

import dev.gatehouse.common.installation.StoreDamaged;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.RocksStores;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.StoreUnavailable;
import dev.gatehouse.common.store.Take;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;

/**
 * RocksDB's files as kill -9 leaves them, with one byte flipped somewhere: the stores open with every code that was used, or
 * not at all.
 */
final class FlippedBytes implements FaultCase {

  private static final int CODES = 2_000;
  private static final int TRIES = 150;
  private static final long SEED = 11;

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
    return "flips one byte in a file of RocksDB, anywhere, and starts on it";
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
    return List.of(
        Figure.holds("a start without a flip has everything", isControlWhole),
        Figure.atMost(0, "starts with less than was acknowledged", counts[Outcome.LESS.ordinal()], ""),
        Figure.reported("starts that were refused", counts[Outcome.REFUSED.ordinal()], ""),
        Figure.reported("starts with everything (the byte was of no use)", counts[Outcome.WHOLE.ordinal()], ""));
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
        isWhole = codes.take("code" + i) instanceof Take.Replayed<String>;
      }
      // What ends before its position is refused by the node's start.
      return isWhole ? Outcome.WHOLE : stores.position() < position ? Outcome.REFUSED : Outcome.LESS;
    } catch (StoreDamaged | StoreUnavailable e) {
      return Outcome.REFUSED;
    }
  }

  /** Files that RocksDB needs; its own log and options are for people. */
  private static List<Path> files(Path image) throws IOException {
    try (Stream<Path> all = Files.list(image.resolve("rocksdb"))) {
      return all.filter(file -> file.getFileName().toString().matches("[0-9]+\\.(sst|log)|MANIFEST-.*|CURRENT"))
          .filter(file -> file.toFile().length() > 0)
          .sorted()
          .toList();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to.resolve("rocksdb"));
    try (Stream<Path> all = Files.list(from.resolve("rocksdb"))) {
      for (Path file : all.filter(f -> !f.endsWith("LOCK")).toList()) {
        Files.copy(file, to.resolve("rocksdb").resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }
}
