package dev.gatehouse.gateway.cli;

import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** A command for each operation of the administration, as RESOURCE VERB. */
public final class OperationCommands {

  private OperationCommands() {}

  /**
   * Adds the commands.
   *
   * @param admin the command below which they are
   * @param access makes the access of one command
   * @param in where {@code --file -} reads from
   */
  public static void addTo(CommandLine admin, Supplier<? extends NodeAccess> access, InputStream in) {
    ApiDocument document = ApiDocument.ofThisVersion();
    List<ApiOperation> all = document.operations();
    Map<String, String> descriptions = document.descriptions();
    Map<String, CommandLine> resources = new TreeMap<>();
    for (ApiOperation operation : all) {
      resources
          .computeIfAbsent(operation.resource(), name -> resource(name, Optional.ofNullable(descriptions.get(name))))
          .addSubcommand(operation.verb(), new OperationCommand(operation, all, access.get(), in).spec());
    }
    resources.forEach(admin::addSubcommand);
  }

  private static CommandLine resource(String name, Optional<String> description) {
    Usage usage = new Usage();
    CommandSpec spec = CommandSpec.wrapWithoutInspection(usage).name(name).mixinStandardHelpOptions(true);
    spec.usageMessage().description(description.map(text -> OperationCommand.escaped(text) + ".").orElse("Operations of " + name + "."));
    CommandLine command = new CommandLine(spec);
    usage.command = Optional.of(command);
    return command;
  }

  /** Prints the usage of its command. */
  private static final class Usage implements Runnable {
    private Optional<CommandLine> command = Optional.empty();

    @Override
    public void run() {
      command.ifPresent(line -> line.usage(line.getOut()));
    }
  }
}
