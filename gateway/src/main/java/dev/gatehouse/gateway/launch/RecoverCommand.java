package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.crypto.CryptoProviders;
import dev.gatehouse.common.installation.DataLock;
import dev.gatehouse.common.installation.StoreName;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.postgres.PostgresUnusable;
import dev.gatehouse.gateway.node.NodeAudit;
import dev.gatehouse.gateway.node.SharedRecovery.Lost;
import dev.gatehouse.gateway.node.SharedRecovery;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
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
      description = {
        "The lost store; may be given several times.",
        "storage: embedded: keys, audit, h2, rocksdb.",
        "storage: shared: valkey (empty, older or lost), postgresql (restored from a backup); either ends what Valkey holds."
      })
  private List<String> lost = List.of();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws PostgresUnusable {
    Node node = ConfigurationOption.loadNode(config).node();
    List<String> done = node.storage() == Node.Storage.SHARED ? ofShared(node) : ofEmbedded();
    done.forEach(spec.commandLine().getOut()::println);
    return ExitCode.OK;
  }

  private List<String> ofEmbedded() {
    Set<StoreName> stores = EnumSet.copyOf(lost.stream().map(word -> of(word, StoreName.values(), StoreName::word)).toList());
    try (StoppedNode node = StoppedNode.of(config, StoppedNode.RECOVER)) {
      return node.recovery().acceptLoss(stores);
    }
  }

  private List<String> ofShared(Node node) throws PostgresUnusable {
    Set<Lost> stores = EnumSet.copyOf(lost.stream().map(word -> of(word, Lost.values(), Lost::word)).toList());
    try (DataLock lock = DataLock.take(node.data(), StoppedNode.RECOVER);
        JsonLinesAuditLog audit = NodeAudit.open(node, InstantSource.system())) {
      lock.requireHeld();
      CryptoProviders.install();
      return new SharedRecovery(node, audit, InstantSource.system(), new SecureRandom()).accept(stores);
    }
  }

  private <T> T of(String word, T[] stores, Function<T, String> name) {
    return Arrays.stream(stores)
        .filter(store -> name.apply(store).equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(),
                    "--accept-loss " + word + " is no store here: write one of "
                        + Arrays.stream(stores).map(name).collect(Collectors.joining(", ")) + "."));
  }
}
