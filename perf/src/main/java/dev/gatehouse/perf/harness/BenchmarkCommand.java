package dev.gatehouse.perf.harness;

import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.springframework.util.FileSystemUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A benchmark under load: it starts servers, runs rows of load, and writes its report or the comparison of two builds. */
@Command(mixinStandardHelpOptions = true)
public abstract class BenchmarkCommand implements Callable<Integer> {

  @Spec protected CommandSpec spec = CommandSpec.create();

  @Mixin protected final Options options;

  private Optional<Build> other = Optional.empty();

  protected BenchmarkCommand(Options options) {
    this.options = options;
  }

  /** Starts the servers of all {@link #builds} and measures their rows. */
  protected abstract void measure(Run run) throws IOException, InterruptedException;

  /** The settings that a reader of the report needs. */
  protected abstract void addSettings(Map<String, String> settings);

  /** The Markdown of the report, below its header; may write pictures into {@code --results}. */
  protected abstract String conclusions(List<Iteration> iterations) throws IOException;

  /** The programs that the benchmark cannot do without; their Debian packages have the same names. */
  protected List<String> programs() {
    return List.of("slapd");
  }

  /** Further measurements for the JSON. */
  protected List<?> details() {
    return List.of();
  }

  @Override
  public final Integer call() throws IOException, InterruptedException {
    requirePrograms();
    Path work = Files.createTempDirectory("gatehouse-bench-");
    boolean isWhole = run(work);
    if (isWhole) {
      remove(work);
    } else {
      System.err.println("What the servers wrote is kept in " + work);
    }
    return isWhole ? 0 : 1;
  }

  /** Removes the folder, of gigabytes where a build was patched. */
  private static void remove(Path work) {
    try {
      FileSystemUtils.deleteRecursively(work);
    } catch (IOException e) {
      System.err.println(work + " could not be removed: " + e);
    }
  }

  /** Returns whether nothing failed. */
  private boolean run(Path work) throws IOException, InterruptedException {
    Instant start = Instant.now();
    try (Run run = new Run(work)) {
      other = other(run);
      measure(run);
      System.out.println(isComparison() ? comparison(run) : report(run, start));
      return run.failures().isEmpty();
    }
  }

  /** Refuses to run for minutes without a program that the measurement needs in the end. */
  private void requirePrograms() {
    List<String> missing = Commands.missing(programs());
    if (!missing.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "programs are not installed; install them by: apt-get install " + String.join(" ", missing));
    }
  }

  private String comparison(Run run) throws IOException, InterruptedException {
    return new Comparison(builds().getFirst().name(), builds().getLast().name())
        .write(run.iterations(), options.results, comparisonName(), command(spec));
  }

  private String report(Run run, Instant start) throws IOException, InterruptedException {
    Map<String, String> settings = new LinkedHashMap<>();
    addSettings(settings);
    settings.put("Rounds", options.rounds + " of " + options.seconds + " s");
    return new Report(
            spec.name(), command(spec), Report.commitHere(), start, Machine.here(), settings, run.iterations(), details(),
            run.failures())
        .write(options.results, conclusions(run.iterations()));
  }

  protected final void writePicture(String svg) throws IOException {
    Files.createDirectories(options.results);
    Files.writeString(options.results.resolve(spec.name() + ".svg"), svg);
  }

  protected final boolean isComparison() {
    return other.isPresent();
  }

  /** The build to compare with, if that was asked for. */
  protected Optional<Build> other(Run run) throws IOException, InterruptedException {
    if (options.againstPatch.isPresent()) {
      return Optional.of(Build.patched(options.againstPatch.get(), run.work().resolve("patched")));
    }
    return options.against.isPresent() ? Optional.of(Build.other(options.against.get())) : Optional.empty();
  }

  /** The name of the comparison's report. */
  protected String comparisonName() {
    return spec.name() + "-against"
        + options.againstPatch.map(patch -> "-" + patch.getFileName().toString().replaceFirst("\\.patch$", "")).orElse("");
  }

  /** This build, and the other one if two are compared. */
  protected final List<Build> builds() throws IOException {
    List<Build> builds = new ArrayList<>(List.of(Build.here()));
    other.ifPresent(builds::add);
    return builds;
  }

  /** A folder of its own for the servers of a build. */
  protected static Path folder(Run run, Build build) throws IOException {
    return Files.createDirectories(run.work().resolve(build.name().replace(' ', '-')));
  }

  /** The command line that repeats this measurement. */
  public static String command(CommandSpec spec) {
    return "./gatehouse bench " + String.join(" ", spec.root().commandLine().getParseResult().originalArgs());
  }

  /** The constants whose names on the command line were chosen; all if none was. */
  protected final <E extends Enum<E>> List<E> chosen(List<String> names, E[] all, Function<E, String> name) {
    for (String each : names) {
      if (Arrays.stream(all).noneMatch(one -> name.apply(one).equals(each))) {
        String known = String.join(", ", Arrays.stream(all).map(name).toList());
        throw new ParameterException(spec.commandLine(), "'" + each + "' is unknown; there are " + known);
      }
    }
    return Arrays.stream(all).filter(one -> names.isEmpty() || names.contains(name.apply(one))).toList();
  }
}
