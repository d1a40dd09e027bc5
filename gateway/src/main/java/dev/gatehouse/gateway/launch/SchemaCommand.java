package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.realm.file.ConfigurationSchema;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./gatehouse schema}. */
@Command(
    name = "schema",
    mixinStandardHelpOptions = true,
    description = {
      "Print the JSON Schema of realms/NAME.yaml or gatehouse.yaml, so that editors complete and check it. A configuration file names",
      "its schema in its first line: # yaml-language-server: $$schema=realm.schema.json"
    })
final class SchemaCommand implements Runnable {

  /** The document to print. */
  enum Output {
    realm,
    gatehouse,
    page
  }

  @Parameters(
      arity = "0..1",
      defaultValue = "realm",
      paramLabel = "realm|gatehouse|page",
      description = "The file (default: ${DEFAULT-VALUE}); page: every key of both files in Markdown.")
  private Output output = Output.realm;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    String text =
        switch (output) {
          case realm -> ConfigurationSchema.REALM.json() + "\n";
          case gatehouse -> ConfigurationSchema.GATEHOUSE.json() + "\n";
          case page -> ConfigurationSchema.page();
        };
    spec.commandLine().getOut().print(text);
    spec.commandLine().getOut().flush();
  }
}
