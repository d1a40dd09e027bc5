package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.crypto.CryptoProviders;
import dev.gatehouse.common.jose.JwkSets;
import dev.gatehouse.common.key.AuditSigningKey;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ./gatehouse keys audit}. */
@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    description = {
      "Print the public key with which the node signs checkpoints of the audit log, as a JWK Set.",
      "Keep it elsewhere, for ./gatehouse audit verify --keys. The key is made at the first start of a node."
    })
final class AuditKeysCommand implements Callable<Integer> {

  @Mixin private ConfigurationOption where = new ConfigurationOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    CryptoProviders.install();
    AuditSigningKey key = new AuditSigningKey(where.load().node().data());
    String keys =
        key.published()
            .map(published -> JwkSets.of(List.of(published), List.of()))
            .orElseThrow(() -> new StartRefused("There is no such key yet: the first start of a node makes it."));
    spec.commandLine().getOut().println(keys);
    return ExitCode.OK;
  }
}
