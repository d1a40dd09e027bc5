package dev.gatehouse.gateway.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./gatehouse otp change}, whose class says how it reaches the node. */
@Command(
    mixinStandardHelpOptions = true,
    description = {
      "Assign, take back, enable, disable, replace or end many tokens of a realm of the running node, as a CSV file says.",
      "",
      "Its first line names the columns: action, serial, and if needed person, by and expires. Actions are assign, unassign, enable,",
      "disable, lost, found, replace and expire. Lines that were not done are in FILE.rejects.csv."
    },
    footer = {"", "Exit codes: 0 all done, 1 nothing or not all, 2 wrong command line."})
public abstract class TokenFileChange implements Callable<Integer> {

  @Parameters(paramLabel = "FILE", description = "The CSV file.")
  private Path file = Path.of("");

  @Option(names = "--realm", required = true, paramLabel = "NAME", description = "The realm.")
  private String realm = "";

  @Option(
      names = "--on-error",
      paramLabel = "WORD",
      description = "stop (unless given): begin only if no line is wrong, end at the first that is refused; skip: leave such lines out.")
  private TokenFileImport.OnError onError = TokenFileImport.OnError.STOP;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private NodeAccess access;

  protected TokenFileChange(NodeAccess access) {
    this.access = access;
  }

  @Override
  public Integer call() throws IOException {
    Map<String, String> body = Map.of("content", GivenFile.text(spec.commandLine(), file));
    try (NodeApi node = access.open()) {
      String how = onError.name().toLowerCase(Locale.ROOT);
      String path = "/admin/v1/realms/" + NodeCall.encoded(realm) + "/tokens/changes?onError=" + how;
      return TokenFileJob.run(node, spec.commandLine(), file, new TokenFileJob.Request(path, body, "changed"));
    }
  }
}
