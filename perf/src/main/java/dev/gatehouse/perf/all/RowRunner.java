package dev.gatehouse.perf.all;

import dev.gatehouse.perf.harness.BareSignature;
import dev.gatehouse.perf.harness.Iteration.Phase;
import dev.gatehouse.perf.harness.Machine;
import dev.gatehouse.perf.report.Busy;
import dev.gatehouse.perf.report.Circumstances;
import dev.gatehouse.perf.report.Row;
import dev.gatehouse.perf.report.RowRecord;
import dev.gatehouse.perf.server.Commands;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** Runs one row as a process of its own, and makes its record: a benchmark that dies or hangs ends its row only. */
final class RowRunner {

  private static final long LOOK_SECONDS = 3;
  private static final double PATIENCE = 3;
  private static final double LEAST_MINUTES = 15;
  private static final long FAREWELL_SECONDS = 20;

  private final Class<?> bench;
  private final String commit;
  private final Path work;
  private final Speed speed;

  /** How fast the machine is at the moment, in signatures for each second of a processor. */
  interface Speed {
    double measured() throws IOException;
  }

  /**
   * @param bench the class with the main method of all benchmarks
   * @param work a folder for what the benchmarks write
   */
  RowRunner(Class<?> bench, String commit, Path work) {
    this(bench, commit, work, RowRunner::signatures);
  }

  RowRunner(Class<?> bench, String commit, Path work, Speed speed) {
    this.bench = bench;
    this.commit = commit;
    this.work = work;
    this.speed = speed;
  }

  /** What became of the process. */
  private record Ended(int code, String trouble, Busy busy) {}

  RowRecord run(Row row, boolean quick) throws IOException, InterruptedException {
    Path folder = emptied(work.resolve(row.id()));
    double before = speed.measured();
    Instant began = Instant.now();
    Ended ended = start(row, quick, folder);
    Instant end = Instant.now();
    Circumstances circumstances =
        new Circumstances(commit, Machine.here(), began, end, ended.busy(), before, speed.measured());
    return RowResult.of(row, quick, circumstances, folder, ended.code(), ended.trouble());
  }

  private static Path emptied(Path folder) throws IOException, InterruptedException {
    Commands.output(List.of("rm", "-rf", folder.toString()));
    return Files.createDirectories(folder);
  }

  static double signatures() throws IOException {
    BareSignature signature = BareSignature.of("rsa-2048");
    signature.run(Phase.WARM_UP, 1);
    return signature.run(Phase.MEASUREMENT, 1).perCpuSecond();
  }

  private Ended start(Row row, boolean quick, Path folder) throws IOException, InterruptedException {
    Path temporary = Files.createTempDirectory("gb-");
    // Some servers run as users of their own, which find their files below it.
    Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxrwxrwx"));
    String mark = "GATEHOUSE_BENCH_ROW=" + UUID.randomUUID();
    File log = folder.resolve("log.txt").toFile();
    ProcessBuilder builder =
        new ProcessBuilder(command(row.length(quick).arguments(), folder, temporary)).redirectErrorStream(true).redirectOutput(log);
    builder.environment().putAll(row.environment());
    builder.environment().put("TMPDIR", temporary.toString());
    builder.environment().put("GATEHOUSE_BENCH_ROW", mark.substring(mark.indexOf('=') + 1));
    long begun = System.nanoTime();
    BusyDetector detector =
        new BusyDetector(Path.of("/proc"), ProcessHandle.current().pid(), mark, Runtime.getRuntime().availableProcessors());
    Process process = builder.start();
    Thread end = new Thread(process::destroy, "end-row");
    Runtime.getRuntime().addShutdownHook(end);
    double most = Math.max(LEAST_MINUTES, PATIENCE * row.length(quick).minutes());
    String trouble;
    try {
      trouble = await(process, detector, begun, most);
      detector.look();
    } finally {
      process.destroy();
    }
    Busy busy = detector.verdict((System.nanoTime() - begun) / 1e9);
    List<Long> left = detector.left();
    left.forEach(id -> ProcessHandle.of(id).ifPresent(ProcessHandle::destroyForcibly));
    Runtime.getRuntime().removeShutdownHook(end);
    if (process.exitValue() == 0) {
      // After a failure its log names what the servers wrote there.
      Commands.output(List.of("rm", "-rf", temporary.toString()));
    }
    if (trouble.isEmpty() && !left.isEmpty()) {
      trouble = left.size() + " processes were left over and were ended";
    }
    return new Ended(process.exitValue(), trouble, busy);
  }

  private static String await(Process process, BusyDetector detector, long begun, double minutes) throws IOException, InterruptedException {
    while (!process.waitFor(LOOK_SECONDS, TimeUnit.SECONDS)) {
      detector.look();
      if (System.nanoTime() - begun > minutes * 60e9) {
        process.destroy();
        if (!process.waitFor(FAREWELL_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly().waitFor();
        }
        return String.format(Locale.ROOT, "it was ended after %.0f minutes", minutes);
      }
    }
    return "";
  }

  /** The results folder comes before the arguments of JMH, which follow a {@code --}. */
  private List<String> command(List<String> arguments, Path folder, Path temporary) {
    List<String> all = new ArrayList<>(List.of(arguments.getFirst(), "--results", folder.toString()));
    all.addAll(arguments.subList(1, arguments.size()));
    return Commands.java(List.of("-XX:+UseCompactObjectHeaders", "-Djava.io.tmpdir=" + temporary), bench, all);
  }
}
