package dev.gatehouse.common.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;

/**
 * Fuzzes targets. With {@code gatehouse.fuzz} each has a process for that many seconds, in which Jazzer is guided by coverage of our
 * classes, and {@code gatehouse.fuzz.only} names the only one. Without it, in a test run, each gets its seeds and some {@link Neighbours}
 * of them here: a process of Jazzer takes longer to start than that.
 */
public final class Fuzzing {

  private static final @Nullable Long SECONDS = Long.getLong("gatehouse.fuzz");
  private static final @Nullable String ONLY = System.getProperty("gatehouse.fuzz.only");

  private static final int NEIGHBOURS = 200;

  /** Some targets take long for an input. */
  private static final Duration MOMENT = Duration.ofMillis(300);

  /** Additional time for a JVM's start on a busy machine, and for the seeds: only a hang takes so long. */
  private static final Duration GRACE = Duration.ofMinutes(10);

  private Fuzzing() {}

  /** Returns the tests of a module's targets, which throw {@link AssertionError} with what Jazzer found. */
  public static Stream<DynamicTest> tests(List<Class<?>> targets) {
    if (SECONDS == null) {
      return targets.stream().map(target -> DynamicTest.dynamicTest(target.getSimpleName(), () -> tryNeighbours(target)));
    }
    return targets.stream()
        .filter(target -> ONLY == null || ONLY.equals(target.getSimpleName()))
        .map(target -> DynamicTest.dynamicTest(target.getSimpleName(), () -> fuzz(target, seeds(target), SECONDS)));
  }

  private static void tryNeighbours(Class<?> target) throws IOException {
    long start = System.nanoTime();
    Neighbours neighbours = new Neighbours(seeds(target), new Random(start));
    long end = System.nanoTime() + MOMENT.toNanos();
    for (int i = 0; i < NEIGHBOURS && System.nanoTime() < end; i++) {
      byte[] input = neighbours.next();
      runOne(target, input, () -> "the seed %d and the input %s".formatted(start, Base64.getEncoder().encodeToString(input)));
    }
  }

  /** Runs Jazzer with the seeds in its own process. */
  private static void fuzz(Class<?> target, List<byte[]> seeds, long seconds) throws IOException, InterruptedException {
    Path folder = Path.of("target", "fuzz", target.getSimpleName()).toAbsolutePath();
    Path corpus = Files.createDirectories(folder.resolve("corpus"));
    for (int i = 0; i < seeds.size(); i++) {
      Files.write(corpus.resolve("seed-" + i), seeds.get(i));
    }
    Path log = folder.resolve("log.txt");
    Process jazzer =
        new ProcessBuilder(command(target, folder, corpus, seconds))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      if (!jazzer.waitFor(GRACE.toSeconds() + seconds, TimeUnit.SECONDS)) {
        throw new AssertionError("Jazzer did not end in time; see " + log);
      }
    } finally {
      jazzer.destroyForcibly();
    }
    // Without it, inputs are only random: once an option switched it off, and nothing said so.
    assertThat(Files.readString(log, StandardCharsets.ISO_8859_1)).as(log.toString()).containsPattern("INITED +cov: ");
    if (jazzer.exitValue() != 0) {
      throw new AssertionError(
          "Fuzzing " + target.getSimpleName() + " found something. The input stands in " + folder + " as crash-…: keep it in"
              + " src/test/resources/fuzz/TARGET. The end of " + log + ":\n" + end(log));
    }
  }

  private static List<String> command(Class<?> target, Path folder, Path corpus, long seconds) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(
        "--enable-native-access=ALL-UNNAMED",
        "-XX:+EnableDynamicAgentLoading",
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Xmx512m",
        "-cp",
        System.getProperty("java.class.path"),
        "com.code_intelligence.jazzer.Jazzer",
        "--target_class=" + target.getName(),
        "--instrumentation_includes=dev.gatehouse.**",
        "--custom_hook_includes=dev.gatehouse.**",
        "--reproducer_path=" + folder,
        "-max_total_time=" + seconds,
        "-max_len=16384",
        "-timeout=60",
        "-rss_limit_mb=0",
        "-print_final_stats=1",
        "-artifact_prefix=" + folder + "/",
        corpus.toString()));
    return command;
  }

  /** Returns the target's seeds and the inputs that once broke it, each of which was tried here. */
  private static List<byte[]> seeds(Class<?> target) throws IOException {
    List<byte[]> seeds = new ArrayList<>();
    try {
      for (Object seed : (List<?>) target.getMethod("seeds").invoke(null)) {
        seeds.add((byte[]) seed);
      }
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(target + " has no seeds()", e);
    }
    URL kept = target.getResource("/fuzz/" + target.getSimpleName());
    if (kept != null) {
      try (Stream<Path> files = Files.list(Path.of(kept.toURI()))) {
        for (Path file : files.sorted().toList()) {
          seeds.add(Files.readAllBytes(file));
        }
      } catch (URISyntaxException e) {
        throw new AssertionError(e);
      }
    }
    for (byte[] seed : seeds) {
      runOne(target, seed, () -> "a seed");
    }
    return seeds;
  }

  private static void runOne(Class<?> target, byte[] input, Supplier<String> which) {
    try {
      target.getMethod("fuzzerTestOneInput", byte[].class).invoke(null, (Object) input);
    } catch (InvocationTargetException e) {
      throw new AssertionError(target.getSimpleName() + " is broken by " + which.get(), e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(target + " is no fuzz target", e);
    }
  }

  private static String end(Path log) throws IOException {
    List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size()));
  }
}
