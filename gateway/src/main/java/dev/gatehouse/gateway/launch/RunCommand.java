package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.db.AdministratorGrants;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.gateway.administrator.SetUpLink;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./gatehouse run}. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = {
      "Run a node until it is stopped (SIGTERM, Ctrl-C).",
      "The folder holds gatehouse.yaml and realms/NAME.yaml; `check` validates them without starting anything."
    })
final class RunCommand implements Callable<Integer> {

  @Option(names = "--config", required = true, paramLabel = "DIR", description = "Folder with gatehouse.yaml and realms/.")
  private Path config = Path.of(".");

  @Option(
      names = "--demo",
      paramLabel = "DIR",
      hidden = true,
      description = "This is the first node of a demo, which makes its administrators.")
  private Optional<Path> demo = Optional.empty();

  @Option(names = "--import-newer", hidden = true, description = "Import realms that are newer than those in the database.")
  private boolean importsNewer;

  private static final String SET_UP =
      """
      No person is an administrator yet. This link makes one, once and within 30 minutes:
        %s
      Later: ./gatehouse admin grant PERSON --role admin
      """;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException, IOException {
    RunningNode node = RunningNode.start(config, System.getenv());
    if (importsNewer) {
      node.importAgain(new ConfigurationFiles(config, System.getenv()));
    }
    if (demo.isPresent()) {
      DemoAdministrator.ensure(node, demo.get());
    }
    PrintWriter out = spec.commandLine().getOut();
    setUpLink(node).ifPresent(link -> out.printf(SET_UP, link));
    out.println("Gatehouse is ready");
    Termination.await(node);
    return ExitCode.OK;
  }

  /** Returns the link; none at a replica, which is administered at its primary. */
  private static Optional<String> setUpLink(RunningNode node) {
    return node.node().isOtpReplica() ? Optional.empty() : offer(node);
  }

  private static Optional<String> offer(RunningNode node) {
    return node.node()
        .listeners()
        .adminLogin()
        .flatMap(login -> SetUpLink.offer(login, node.get(AdministratorGrants.class), Instant.now(), node.get(SecureRandom.class)));
  }
}
