package dev.gatehouse.gateway.process;

import dev.gatehouse.common.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The built jar with its libraries beside it, and an AOT cache of a short training run, as {@code ./gatehouse} makes them. All JVMs of
 * Failsafe share them. {@code ./gatehouse test} makes them beside the unit tests, by {@link #main}; where it did not, the first JVM that
 * starts a node extracts the jar, under a lock, and trains beside its first tests. Until the cache is there, nodes start without it: two
 * JVMs that wait for half a minute cost more than their slower starts.
 */
final class BuiltApplication {

  private static final Path BUILT = Path.of("target/gatehouse-boot.jar").toAbsolutePath();
  private static final Path HOME = Path.of("target/it-app").toAbsolutePath();
  private static final Path JAR = HOME.resolve(BUILT.getFileName());
  private static final Path CACHE = HOME.resolve("gatehouse.aot");

  /** What {@link #HOME} was made from. It is written last. */
  private static final Path MADE_FROM = HOME.resolve("made-from");

  private static final Path LOCK = HOME.resolveSibling("it-app.lock");

  /** Held by the JVM that trains. */
  private static final Path TRAINING = HOME.resolveSibling("it-app.training");

  /** Long enough for the classes of a login and a logout; the nodes of tests run without the compiler that profiles would help. */
  private static final int TRAINING_SECONDS = 1;

  /** On a machine that is too busy nodes go without; nobody waits for it. */
  private static final int MAX_TRAINING_SECONDS = 600;

  private static boolean began;

  private BuiltApplication() {}

  /** Extracts and trains in the folder of the module. No library is on its class path. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    extract();
    train();
  }

  /** The jar, and the options for the AOT cache if there is one, as {@code java} takes them. */
  static synchronized List<String> arguments() {
    try {
      extract();
      if (!began) {
        began = true;
        Thread.ofPlatform().daemon().name("training").start(BuiltApplication::train);
      }
      List<String> arguments = new ArrayList<>();
      if (Files.exists(CACHE)) {
        arguments.addAll(List.of("-XX:AOTCache=" + CACHE, "-Xlog:aot*=off", "-Xlog:cds*=off"));
      }
      arguments.addAll(List.of("-jar", JAR.toString()));
      return arguments;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isCurrent() throws IOException {
    return Files.exists(MADE_FROM) && Files.readString(MADE_FROM).equals(source());
  }

  /** The cache is valid for one Java and for the folder of its training only. */
  private static String source() throws IOException {
    return String.join(
        "\n", BUILT.toString(), Files.getLastModifiedTime(BUILT).toString(), Runtime.version().toString(), System.getProperty("java.home"));
  }

  /** Unless that is done, or once another JVM has done it. */
  private static void extract() throws IOException, InterruptedException {
    if (isCurrent()) {
      return;
    }
    try (FileChannel channel = FileChannel.open(LOCK, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      if (lock.isValid() && !isCurrent()) {
        extractAlone();
      }
    }
  }

  private static void extractAlone() throws IOException, InterruptedException {
    String source = source();
    delete(HOME);
    List<String> extract =
        List.of(BuiltNode.java().getFirst(), "-Djarmode=tools", "-jar", BUILT.toString(), "extract", "--destination", HOME.toString());
    if (new ProcessBuilder(extract).inheritIO().start().waitFor() != 0) {
      throw new IllegalStateException("cannot extract " + BUILT + "; ./mvnw verify builds it before these tests");
    }
    Files.writeString(MADE_FROM, source);
  }

  private static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  /** Unless another JVM does, or has done. */
  private static void train() {
    try (FileChannel channel = FileChannel.open(TRAINING, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      // Null where another JVM holds it.
      if (lock != null && !Files.exists(CACHE)) {
        trainAlone();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Without the cache everything works, only slower: a training run that failed leaves its log and no cache. */
  private static void trainAlone() throws IOException, InterruptedException {
    Path folder = HOME.resolve("training");
    Path fresh = HOME.resolve("gatehouse.aot.new");
    delete(folder);
    Files.createDirectories(folder);
    List<String> training = new ArrayList<>(BuiltNode.java());
    // As the launcher does: no node of ours compiles by the profiles of a training (decision 602).
    training.addAll(List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-AOTRecordTraining"));
    training.addAll(List.of("-XX:AOTCacheOutput=" + fresh, "-Xlog:aot*=error", "-Xlog:cds*=error", "-jar", JAR.toString()));
    training.addAll(List.of("demo", "--train", String.valueOf(TRAINING_SECONDS), "--port-base", String.valueOf(FreePorts.inARow(9))));
    training.addAll(List.of("--directory", folder.resolve("demo").toString()));
    Process process =
        new ProcessBuilder(training)
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(folder.resolve("log").toFile()))
            .start();
    Thread atExit = new Thread(() -> end(process));
    Runtime.getRuntime().addShutdownHook(atExit);
    if (process.waitFor(MAX_TRAINING_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0 && Files.exists(fresh)) {
      Files.move(fresh, CACHE, StandardCopyOption.ATOMIC_MOVE);
    } else {
      end(process);
      Files.deleteIfExists(fresh);
    }
    Runtime.getRuntime().removeShutdownHook(atExit);
  }

  private static void end(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
