package dev.gatehouse.gateway.launch;

import dev.gatehouse.gateway.cli.NodeApi;
import dev.gatehouse.gateway.cli.PeopleCommand;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ./gatehouse otp people}. */
@Command(
    name = "people",
    mixinStandardHelpOptions = true,
    description = "The register of people who may have tokens, read from the directory.",
    subcommands = {OtpPeople.Preview.class, OtpPeople.Sync.class})
final class OtpPeople implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  /** {@code ./gatehouse otp people preview}. */
  @Command(name = "preview")
  static final class Preview extends PeopleCommand.Preview {

    @Mixin private AdminCommands.Access access = new AdminCommands.Access();

    @Override
    protected NodeApi open() throws IOException {
      return access.open();
    }
  }

  /** {@code ./gatehouse otp people sync}. */
  @Command(name = "sync")
  static final class Sync extends PeopleCommand.Sync {

    @Mixin private AdminCommands.Access access = new AdminCommands.Access();

    @Override
    protected NodeApi open() throws IOException {
      return access.open();
    }
  }
}
