package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.db.AdministratorGrants;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.key.NamedKeys.Creation;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.common.realm.file.Configuration.Source;
import dev.gatehouse.gateway.administrator.StoredChanges;
import dev.gatehouse.gateway.demo.DemoCertificate;
import dev.gatehouse.gateway.demo.DemoConfiguration;
import dev.gatehouse.gateway.demo.DemoDirectory;
import dev.gatehouse.gateway.demo.DemoPorts;
import dev.gatehouse.gateway.demo.SampleApp;
import dev.gatehouse.gateway.filter.Identity;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.springframework.context.annotation.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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
      description = "Use eight consecutive ports from this one, to run beside another demo.")
  private Optional<Integer> portBase = Optional.empty();

  @Option(names = "--files", description = "The configuration is read from its files and followed; by default it is imported into the database.")
  private boolean files;

  @Option(
      names = "--train",
      paramLabel = "SECONDS",
      hidden = true,
      description = "Log people in and out for this time, then stop: a training run for an AOT cache.")
  private Optional<Integer> train = Optional.empty();

  /** The person who may do everything in the demo, unless somebody was granted a role. */
  private static final String ADMINISTRATOR = "bob";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException, IOException {
    PrintWriter out = spec.commandLine().getOut();
    DemoPorts ports = portBase.map(DemoPorts::from).orElseGet(DemoPorts::contract);
    Path home = directory.orElseGet(() -> Path.of(System.getenv().getOrDefault("GATEHOUSE_HOME", ".")).resolve("var/demo"));
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
    Path key = adminKey(node, home);
    grantRole(node);
    DemoWarmUp.await(ports);
    announce(out, ports, home, key, changed, !files);
    configuration.writeSchemas();
    if (train.isPresent()) {
      out.println(new Training(ports).run(Duration.ofSeconds(train.get())) + " rounds of training");
      node.close();
      app.close();
      directory.close();
      return ExitCode.OK;
    }
    Termination.await(node, app, directory);
    return ExitCode.OK;
  }

  /** A configuration that was changed by hand may name no realm of administrators. */
  private static void grantRole(RunningNode node) {
    node.node()
        .listeners()
        .adminLogin()
        .map(
            login ->
                new StoredChanges(
                    login.realm(), node.get(Realms.class), node.get(Directories.class), node.get(AdministratorGrants.class),
                    node.get(JsonLinesAuditLog.class), node.get(InstantSource.class)))
        .ifPresent(changes -> changes.grantIfNobody(ADMINISTRATOR));
  }

  /** Returns the file of the administrator key, which is created at the first start and readable only by its owner. */
  private static Path adminKey(RunningNode node, Path home) throws IOException {
    Path file = home.resolve("admin-key");
    AdministratorKeys keys = node.get(AdministratorKeys.class);
    if (Files.exists(file) && keys.verify(Files.readString(file).strip()).isPresent()) {
      return file;
    }
    keys.revoke("demo");
    String key =
        switch (keys.create("demo")) {
          case Creation.Created created -> created.secret();
          case Creation.Refused refused -> throw new StartRefused(refused.why());
        };
    Files.deleteIfExists(file);
    Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, key + "\n");
    return file;
  }

  private static void announce(PrintWriter out, DemoPorts ports, Path home, Path key, List<Path> changed, boolean isStored) {
    out.printf(
        """
        Gatehouse is ready

          Sample app behind the gateway   http://app.localhost:%d/         https://app.localhost:%d/
            open to everybody             http://app.localhost:%d/public/
            for managers                  http://app.localhost:%d/manager/
            who am I, as JSON             http://app.localhost:%d/whoami
          Identity provider               http://idp.localhost:%d/realms/demo/account
          Console                         http://localhost:%d/console/     (log in as bob, or with the administrator key)
          Health and metrics              http://localhost:%d/health       http://localhost:%d/metrics

          Users: alice (employee), bob (employee, manager, administrator); password: demo
          Configuration: %s%s
          Administrator key: %s
            curl -H "Authorization: Bearer $(cat %s)" http://localhost:%d/admin/v1/realms

        """,
        ports.appHttp(),
        ports.appHttps(),
        ports.appHttp(),
        ports.appHttp(),
        ports.appHttp(),
        ports.idpHttp(),
        ports.admin(),
        ports.metrics(),
        ports.metrics(),
        home.resolve("config"),
        isStored ? " (in the database; ./gatehouse apply brings changes into use)" : "",
        key,
        key,
        ports.admin());
    changed.forEach(file -> out.println("  Not overwritten, because you changed it: " + file));
    out.println("Ctrl-C stops it.");
    out.flush();
  }
}
