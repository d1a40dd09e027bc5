package dev.gatehouse.gateway.launch;

import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The version from the jar's manifest, and the Java version. */
final class BuildVersion implements IVersionProvider {

  /** {@code ./gatehouse version}. */
  @Command(name = "version", mixinStandardHelpOptions = true, description = "Print the version and the Java it runs on.")
  static final class Print implements Runnable {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
      for (String line : new BuildVersion().getVersion()) {
        spec.commandLine().getOut().println(line);
      }
    }
  }

  @Override
  public String[] getVersion() {
    return new String[] {
      "Gatehouse " + number(), "Java " + Runtime.version() + " (" + System.getProperty("java.vm.vendor") + ")"
    };
  }

  static String number() {
    return Optional.ofNullable(Launcher.class.getPackage().getImplementationVersion()).orElse("(unpackaged)");
  }
}
