package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.file.Configuration;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.common.registry.LocalMetadata;
import dev.gatehouse.common.saml.metadata.CanonicalMetadataCodec;
import dev.gatehouse.gateway.cli.SafeText;
import dev.gatehouse.gateway.traffic.DirectMemoryPlan;
import dev.gatehouse.idp.oidc.ClaimSources;
import dev.gatehouse.gateway.node.SharedCheck;
import dev.gatehouse.gateway.pkcs11.TokenCheck;
import dev.gatehouse.sp.provider.OpenIdProviders;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./gatehouse check}. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = {
      "Validate a configuration and print every problem with file, line, key and remedy. If there is none, the metadata files",
      "of partners are read as well. Notes say which parts of these files are ignored, which attributes of the directory",
      "supply which OpenID claims, and which OpenID providers have the same redirect URI."
    })
final class CheckCommand implements Callable<Integer> {

  @Option(names = "--config", required = true, paramLabel = "DIR", description = "Folder with gatehouse.yaml and realms/.")
  private Path config = Path.of(".");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws ConfigurationInvalid {
    PrintWriter out = spec.commandLine().getOut();
    ConfigurationFiles files = new ConfigurationFiles(config, System.getenv());
    List<String> problems = new ArrayList<>();
    ConfigurationFiles.Result result = files.check();
    result.problems().stream().map(Problem::toString).forEach(problems::add);
    if (problems.isEmpty()) {
      Configuration read = result.configuration();
      ofThisProcess(read.node()).ifPresent(problems::add);
      problems.addAll(SharedCheck.of(read.node(), out, BuildVersion.number()));
      TokenCheck.of(result).stream().map(Problem::toString).forEach(problems::add);
      LocalMetadata.Found found = new LocalMetadata(new CanonicalMetadataCodec(), Instant.now()).of(read.realms());
      found.notes().forEach(note -> out.println(SafeText.line("note: " + note)));
      read.realms().stream().flatMap(realm -> ClaimSources.note(realm).stream()).forEach(note -> out.println("note: " + note));
      read.realms().stream()
          .flatMap(realm -> OpenIdProviders.note(realm).stream())
          .forEach(note -> out.println(SafeText.line("note: " + note)));
      found.problems().stream().map(Problem::toString).forEach(problems::add);
    }
    // Files and partners' metadata come from others.
    problems.forEach(problem -> out.println(SafeText.line(problem)));
    out.println(problems.isEmpty() ? "No problems." : problems.size() == 1 ? "1 problem." : problems.size() + " problems.");
    return problems.isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  /** The problem that the node would have with the JVM flags of this process, which are those of the node. */
  private static Optional<String> ofThisProcess(Node node) {
    if (!ListenerCheck.servesApps(node.roles())) {
      return Optional.empty();
    }
    return switch (DirectMemoryPlan.of(node)) {
      case DirectMemoryPlan.Outcome.TooLittle(String problem) -> Optional.of(problem);
      case DirectMemoryPlan.Outcome.Fits fits -> Optional.empty();
    };
  }
}
