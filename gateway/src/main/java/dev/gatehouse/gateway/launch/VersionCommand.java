package dev.gatehouse.gateway.launch;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ./gatehouse version}. */
@Command(name = "version", mixinStandardHelpOptions = true, description = "Print the version and the Java it runs on.")
final class VersionCommand implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    for (String line : new BuildVersion().getVersion()) {
      spec.commandLine().getOut().println(line);
    }
  }
}
