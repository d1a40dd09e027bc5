package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.common.realm.file.Configuration.Source;
import dev.gatehouse.gateway.cli.BackgroundStart;
import dev.gatehouse.gateway.demo.DemoCertificate;
import dev.gatehouse.gateway.demo.DemoConfiguration;
import dev.gatehouse.gateway.demo.DemoDirectory;
import dev.gatehouse.gateway.demo.DemoPorts;
import dev.gatehouse.gateway.demo.DemoWarmUp;
import dev.gatehouse.gateway.demo.SampleApp;
import dev.gatehouse.gateway.demo.nodes.NodePorts;
import dev.gatehouse.gateway.demo.nodes.NodesDemo;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.springframework.context.annotation.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./gatehouse demo}. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "Run all three roles with a sample app, an embedded directory and embedded storage, until Ctrl-C.",
      "Users alice (employee) and bob (employee, manager, administrator), password demo. Configuration to read and change is written to "
          + "var/demo/config."
    })
final class DemoCommand implements Callable<Integer> {

  @Option(names = "--directory", paramLabel = "DIR", description = "Instead of var/demo.")
  private Optional<Path> directory = Optional.empty();

  @Option(
      names = "--port-base",
      paramLabel = "PORT",
      description = "Use nine consecutive ports from this one (with --nodes 58), to run beside another demo.")
  private Optional<Integer> portBase = Optional.empty();

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = {
        "Start PostgreSQL, Valkey and HAProxy, and 2 to 4 nodes that share them, each a process of its own below var/demo/nodes.",
        "As root on Debian the servers are installed if they are missing. Not together with --files."
      })
  private Optional<Integer> nodes = Optional.empty();

  @Option(names = "--files", description = "The configuration is read from its files and followed; by default it is imported into the database.")
  private boolean files;

  @Option(
      names = "--train",
      paramLabel = "SECONDS",
      hidden = true,
      description = "Log people in and out for this time, then stop: a training run for an AOT cache.")
  private Optional<Integer> train = Optional.empty();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException, IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (nodes.isPresent()) {
      return several(out, nodes.get());
    }
    DemoPorts ports = portBase.map(DemoPorts::from).orElseGet(DemoPorts::contract);
    Path home = home();
    Path config = home.resolve("config");
    DemoConfiguration configuration = new DemoConfiguration(config, files ? Source.FILES : Source.DATABASE);
    var certificate =
        BackgroundStart.start(
            "start-certificate",
            () -> {
              DemoCertificate.ensure(home.resolve("data/tls"), Instant.now(), new SecureRandom());
              return home;
            });
    List<Path> changed = configuration.write(ports);
    var people = BackgroundStart.start("start-directory", () -> DemoDirectory.start(ports.directory()));
    SampleApp app = SampleApp.start(ports.app());
    certificate.join();
    RunningNode node = RunningNode.start(config, System.getenv());
    if (!changed.contains(config.resolve("realms/demo.yaml"))) {
      node.importAgain(new ConfigurationFiles(config, System.getenv()));
    }
    DemoDirectory directory = people.join();
    Path key = DemoAdministrator.ensure(node, home);
    DemoToken.ensure(node);
    DemoWarmUp.await(ports);
    announce(out, ports, config, key, changed, !files);
    configuration.writeSchemas();
    if (train.isPresent()) {
      Training.Done done = new Training(ports).run(Duration.ofSeconds(train.get()));
      out.println(done.rounds() + " rounds of training, " + done.tokens() + " tokens");
      node.close();
      app.close();
      directory.close();
      return ExitCode.OK;
    }
    Termination.await(node, app, directory);
    return ExitCode.OK;
  }

  private Path home() {
    return directory.orElseGet(() -> Path.of(System.getenv().getOrDefault("GATEHOUSE_HOME", ".")).resolve("var/demo"));
  }

  private int several(PrintWriter out, int count) throws InterruptedException {
    if (count < 2 || count > NodesDemo.MOST || files || train.isPresent()) {
      throw new ParameterException(
          spec.commandLine(), "--nodes takes 2 to " + NodesDemo.MOST + ", and goes together neither with --files nor with --train");
    }
    NodePorts ports = portBase.map(NodePorts::from).orElseGet(NodePorts::contract);
    Path home = home();
    Consumer<String> lines = line -> {
      out.println(line);
      out.flush();
    };
    NodesDemo demo = NodesDemo.start(
            home, ports, count, System.getenv().getOrDefault("PATH", ""), Instant.now(), lines, () -> System.exit(ExitCode.SOFTWARE));
    DemoWarmUp.await(ports.people());
    announce(out, ports.people(), demo.configuration(), DemoAdministrator.file(home), demo.changed(), true);
    Termination.await(List.of(demo));
    return ExitCode.OK;
  }

  private static void announce(PrintWriter out, DemoPorts ports, Path config, Path key, List<Path> changed, boolean isStored) {
    out.printf(
        """
        Gatehouse is ready

          Sample app behind the gateway   http://app.localhost:%d/         https://app.localhost:%d/
            open to everybody             http://app.localhost:%d/public/
            for managers                  http://app.localhost:%d/manager/
            with PIN and token code       http://app.localhost:%d/token/         (as carol: docs/how-to/tokens.md)
            who am I, as JSON             http://app.localhost:%d/whoami
          Identity provider               http://idp.localhost:%d/realms/demo/account
          Console                         http://localhost:%d/console/     (log in as bob, or with the administrator key)
          Health and metrics              http://localhost:%d/health       http://localhost:%d/metrics

          Users: alice (employee), bob (employee, manager, administrator), carol (employee; has a token); password: demo
          Configuration: %s%s
          Agent for PIN and token code: ./gatehouse agent --config %s  (docs/how-to/radius-for-vpn-and-wi-fi.md)
          Administrator key: %s
            curl -H "Authorization: Bearer $(cat %s)" http://localhost:%d/admin/v1/realms

        """,
        ports.appHttp(),
        ports.appHttps(),
        ports.appHttp(),
        ports.appHttp(),
        ports.appHttp(),
        ports.appHttp(),
        ports.idpHttp(),
        ports.admin(),
        ports.metrics(),
        ports.metrics(),
        config,
        isStored ? " (in the database; ./gatehouse apply brings changes into use)" : "",
        config.resolve("agent/agent.yaml"),
        key,
        key,
        ports.admin());
    changed.forEach(file -> out.println("  Not overwritten, because you changed it: " + file));
    out.println("Ctrl-C stops it.");
    out.flush();
  }
}
