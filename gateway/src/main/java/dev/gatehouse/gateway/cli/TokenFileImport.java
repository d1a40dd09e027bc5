package dev.gatehouse.gateway.cli;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./gatehouse otp import}, whose class says how it reaches the node. */
@Command(
    mixinStandardHelpOptions = true,
    description = {
      "Add the tokens of a PSKC (RFC 6030) or CSV file to a realm of the running node. They belong to nobody then.",
      "",
      "If an entry of the file is wrong, nothing is imported, unless wrong ones are to be left out. Those are in FILE.rejects.csv."
    },
    footer = {"", "Exit codes: 0 all imported, 1 nothing or not all, 2 wrong command line."})
public abstract class TokenFileImport implements Callable<Integer> {

  @Parameters(paramLabel = "FILE", description = "PSKC if its name ends in .xml or .pskc, otherwise CSV.")
  private Path file = Path.of("");

  @Option(names = "--realm", required = true, paramLabel = "NAME", description = "The realm.")
  private String realm = "";

  @Option(
      names = "--on-error",
      paramLabel = "WORD",
      description = "stop (unless given): import all or nothing; skip: leave wrong entries out.")
  private OnError onError = OnError.STOP;

  @Option(names = "--encrypted", description = "The file is encrypted with a password, which is asked for.")
  private boolean encrypted;

  @Option(names = "--password-file", paramLabel = "FILE", description = "A file with the password of the PSKC file.")
  private Optional<Path> passwordFile = Optional.empty();

  @Option(names = "--pre-shared-key-file", paramLabel = "FILE", description = "A file with the pre-shared key of the PSKC file, in hex.")
  private Optional<Path> preSharedKeyFile = Optional.empty();

  @Spec private CommandSpec spec = CommandSpec.create();

  /** What becomes of wrong entries; the words of the command line. */
  enum OnError {
    STOP,
    SKIP
  }

  @Mixin private NodeAccess access;

  protected TokenFileImport(NodeAccess access) {
    this.access = access;
  }

  @Override
  public Integer call() throws IOException {
    Map<String, String> body = new HashMap<>();
    String name = String.valueOf(file.getFileName());
    body.put("format", name.endsWith(".xml") || name.endsWith(".pskc") ? "pskc" : "csv");
    body.put("content", GivenFile.text(spec.commandLine(), file));
    Optional<String> password = password();
    password.ifPresent(text -> body.put("password", text));
    if (preSharedKeyFile.isPresent()) {
      body.put("key", GivenFile.text(spec.commandLine(), preSharedKeyFile.get()).strip());
    }
    try (NodeApi node = access.open()) {
      String how = onError.name().toLowerCase(Locale.ROOT);
      String path = "/admin/v1/realms/" + NodeCall.encoded(realm) + "/tokens/import?onError=" + how;
      return TokenFileJob.run(node, spec.commandLine(), file, new TokenFileJob.Request(path, body, "imported"));
    }
  }

  private Optional<String> password() {
    if (passwordFile.isPresent()) {
      return Optional.of(GivenFile.text(spec.commandLine(), passwordFile.get()).strip());
    }
    if (!encrypted) {
      return Optional.empty();
    }
    Console console = System.console();
    if (console == null || !console.isTerminal()) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "There is no terminal to ask for the password: use --password-file.");
    }
    return Optional.of(new String(console.readPassword("Password of the file: ")));
  }
}
