package dev.gatehouse.perf;

import dev.gatehouse.perf.data.LdifGenerator;
import dev.gatehouse.perf.data.PeopleOption;
import dev.gatehouse.perf.data.Progress;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench data}: writes the LDIF of a directory of N people. */
@Command(
    name = "data",
    mixinStandardHelpOptions = true,
    description = {
      "Write a directory of N people as LDIF: inetOrgPerson entries in 10 organizational units, 10 groups.",
      "Person n is called u%%07d and has the password pw-n. Load it with slapadd -q."
    })
final class DataCommand implements Callable<Integer> {

  @Mixin PeopleOption people = new PeopleOption();

  @Option(names = "--out", paramLabel = "FILE", required = true, description = "The file to write; - for standard output.")
  String out = "-";

  @Override
  public Integer call() throws IOException {
    LdifGenerator generator = new LdifGenerator(people.number, new Progress("people written", people.number, System.err));
    if (out.equals("-")) {
      generator.write(System.out);
      return 0;
    }
    try (OutputStream file = new BufferedOutputStream(Files.newOutputStream(Path.of(out)), 1 << 16)) {
      generator.write(file);
    }
    return 0;
  }
}
