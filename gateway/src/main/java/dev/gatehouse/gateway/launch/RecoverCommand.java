package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.installation.StoreName;
import dev.gatehouse.gateway.recovery.Recovery;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./gatehouse recover}. */
@Command(
    name = "recover",
    mixinStandardHelpOptions = true,
    description = {
      "Continue without a store that is damaged or lost; the node must be stopped.",
      "Restoring a backup loses less. Except for the audit log, all sessions and tokens end. The former data are "
          + "moved to replaced/ in the data folder."
    })
final class RecoverCommand implements Callable<Integer> {

  @Option(names = "--config", required = true, paramLabel = "DIR", description = "Folder with gatehouse.yaml and realms/.")
  private Path config = Path.of(".");

  @Option(
      names = "--accept-loss",
      required = true,
      paramLabel = "STORE",
      description = "The lost store: ${COMPLETION-CANDIDATES}; may be given several times.")
  private List<StoreName> lost = List.of();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    try (StoppedNode node = StoppedNode.of(config, StoppedNode.RECOVER)) {
      Recovery recovery = node.recovery();
      Set<StoreName> stores = EnumSet.copyOf(lost);
      recovery.acceptLoss(stores).forEach(spec.commandLine().getOut()::println);
    }
    return ExitCode.OK;
  }
}
