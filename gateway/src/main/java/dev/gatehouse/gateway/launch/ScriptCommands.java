package dev.gatehouse.gateway.launch;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Commands that the launcher script runs itself, because they build or test this very program. They are declared here
 * so that the help is complete; {@code ./gatehouse} passes them on only for {@code --help}.
 */
final class ScriptCommands {

  private ScriptCommands() {}

  /** {@code ./gatehouse test}. */
  @Command(
      name = "test",
      mixinStandardHelpOptions = true,
      description = {
        "Run every test but those of ./gatehouse longtest (source checkout only).",
        "As root on Debian it first installs the servers that the interop tests use, without starting their services; "
            + "elsewhere the tests that need them are skipped and listed. With CI=true in the environment a skipped test "
            + "is a failure. Arguments go to Maven: ./gatehouse test -pl common."
      })
  static final class Test extends ByMaven {}

  /** {@code ./gatehouse longtest}. */
  @Command(
      name = "longtest",
      mixinStandardHelpOptions = true,
      description = {
        "Run the tests that take longest, which ./gatehouse test leaves out (source checkout only).",
        "They are for releases, and for changes of what they test. Arguments go to Maven."
      })
  static final class LongTest extends ByMaven {}

  /** {@code ./gatehouse fuzz}. */
  @Command(
      name = "fuzz",
      mixinStandardHelpOptions = true,
      description = {
        "Test every parser of external input with a coverage-guided fuzzer (source checkout only).",
        "./gatehouse test does the same for three seconds each. Input that breaks a property is stored in "
            + "MODULE/target/fuzz/TARGET/crash-…, and the covering inputs in corpus/ beside it: the next run continues from them."
      })
  static final class Fuzz extends ByScript {
    @Parameters(paramLabel = "TARGET", arity = "0..1", description = "One target, for example ResponseFuzz; all by default.")
    private List<String> arguments = List.of();

    @Option(names = "--seconds", paramLabel = "N", description = "For each target; 60 by default.")
    private int seconds = 60;

    @Override
    List<String> arguments() {
      return Stream.concat(arguments.stream(), Stream.of("--seconds", Integer.toString(seconds))).toList();
    }
  }

  /** {@code ./gatehouse contract}. */
  @Command(
      name = "contract",
      mixinStandardHelpOptions = true,
      description = {
        "Test every operation of the REST interface with requests generated from its OpenAPI document (source checkout only).",
        "./gatehouse test does the same with few requests for each that only reads, ./gatehouse longtest for all."
      })
  static final class Contract extends ByScript {
    @Option(names = "--examples", paramLabel = "N", description = "Random requests for each operation; 200 by default.")
    private int examples = 200;

    @Override
    List<String> arguments() {
      return List.of("--examples", Integer.toString(examples));
    }
  }

  /** {@code ./gatehouse bench}. */
  @Command(
      name = "bench",
      mixinStandardHelpOptions = true,
      description = {
        "Run a benchmark (source checkout only) and write its results as JSON and Markdown.",
        "Without a name the benchmarks are listed."
      })
  static final class Bench extends ByScript {
    @Parameters(paramLabel = "ARGUMENT", arity = "0..*", description = "The benchmark's name and its options.")
    private List<String> arguments = List.of();

    @Override
    List<String> arguments() {
      return arguments;
    }
  }

  /** {@code ./gatehouse train}. */
  @Command(
      name = "train",
      mixinStandardHelpOptions = true,
      description = {
        "Create the JVM's AOT cache for this copy of the program, which halves the time of a start.",
        "Runs a demo on free ports for about half a minute. The cache is valid in this folder only: repeat this after the "
            + "folder was moved or copied, or the archive unpacked. Without a valid cache everything works, only slower at first."
      })
  static final class Train extends ByScript {}

  /** {@code ./gatehouse package}. */
  @Command(
      name = "package",
      mixinStandardHelpOptions = true,
      description = {
        "Create target/gatehouse-VERSION.tar.gz (source checkout only).",
        "It holds the extracted application, this launcher, a sample configuration, LICENSE, README and docs; unpack it "
            + "on a machine with a Java runtime 25 and run ./gatehouse there, after ./gatehouse train if starts should be fast."
      })
  static final class Package extends ByScript {}

  /** {@code ./gatehouse image}. */
  @Command(
      name = "image",
      mixinStandardHelpOptions = true,
      description = {
        "Build a container image without a daemon and without a registry (source checkout only; root on Debian with buildah).",
        "Its base is made by debootstrap, its Java runtime by jlink; the AOT cache is trained in the image. The last line is the "
            + "image's name."
      })
  static final class Image extends ByScript {
    @Option(names = "--tag", paramLabel = "NAME", description = "The image's name; localhost/gatehouse:VERSION by default.")
    private Optional<String> tag = Optional.empty();

    @Option(names = "--arch", paramLabel = "ARCH", description = "amd64 or arm64: must be this machine's.")
    private Optional<String> arch = Optional.empty();

    @Option(names = "--to", paramLabel = "FILE", description = "Also write it as an OCI archive.")
    private Optional<String> to = Optional.empty();

    @Option(names = "--fresh", description = "Install Debian anew, with its updates of today.")
    private boolean fresh;

    @Option(names = "--test", description = "Start it, with podman: read-only and without capabilities, and end it by SIGTERM.")
    private boolean test;

    @Override
    List<String> arguments() {
      return Stream.of(
              tag.stream().flatMap(name -> Stream.of("--tag", name)),
              arch.stream().flatMap(name -> Stream.of("--arch", name)),
              to.stream().flatMap(file -> Stream.of("--to", file)),
              fresh ? Stream.of("--fresh") : Stream.<String>empty(),
              test ? Stream.of("--test") : Stream.<String>empty())
          .flatMap(each -> each)
          .toList();
    }
  }

  /** What runs Maven. */
  private abstract static class ByMaven extends ByScript {
    @Parameters(paramLabel = "MAVEN-ARGUMENT", arity = "0..*", description = "Passed on to ./mvnw verify.")
    private List<String> arguments = List.of();

    @Override
    List<String> arguments() {
      return arguments;
    }
  }

  private abstract static class ByScript implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    List<String> arguments() {
      return List.of();
    }

    @Override
    public Integer call() {
      String line = "./gatehouse " + spec.name() + " " + String.join(" ", arguments());
      spec.commandLine().getErr().println("The launcher script runs this command: " + line.strip());
      return ExitCode.USAGE;
    }
  }
}
