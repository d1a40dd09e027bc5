package dev.gatehouse.gateway.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

/** What {@code docker/} has, as far as it can be checked without building an image: {@code ./gatehouse image --test} does that. */
@Timeout(60)
@SuppressWarnings("unchecked") // YAML is maps and lists.
class DeploymentFilesTest {

  private static final Path DOCKER = Path.of("../docker").toAbsolutePath().normalize();

  @TempDir Path folder;

  @Test
  void shellcheckFindsNothing() throws IOException, InterruptedException {
    assertThat(Command.run(folder, Command.installed("/usr/bin/shellcheck"), script("build"), script("healthy")).output()).isEmpty();
  }

  @Test
  void whatIsMissingIsNamedBeforeAnythingIsBuilt() throws IOException, InterruptedException {
    Command run = build("/nonexistent", "--check");
    assertThat(run.output()).contains("needs buildah debootstrap: apt-get install --no-install-recommends buildah debootstrap");
    assertThat(run.exit()).isEqualTo(1);
    assertThat(build("/nonexistent", "--check", "--test").output()).contains("needs buildah debootstrap podman runc");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      --arch mips   | --arch is amd64 or arm64
      --tag UPPER   | --tag needs a name such as
      --push        | image takes --tag NAME
      """)
  void wrongOptionsAreSaid(String options, String said) throws IOException, InterruptedException {
    Command run = build(tools(), options.split(" "));
    assertThat(run.output()).contains(said);
    assertThat(run.exit()).isEqualTo(2);
  }

  @Test
  void anImageForAnotherProcessorNeedsSuchAMachine() throws IOException, InterruptedException {
    assumeTrue(System.getProperty("user.name").equals("root"), "the script asks for root first");
    String other = System.getProperty("os.arch").equals("aarch64") ? "amd64" : "arm64";
    Command run = build(tools(), "--check", "--arch", other);
    assertThat(run.output()).contains("an image for " + other + " is built on a machine of that kind");
    assertThat(run.exit()).isEqualTo(1);
  }

  @Test
  void aRuntimeWithoutJlinkIsRefused() throws IOException, InterruptedException {
    assumeTrue(System.getProperty("user.name").equals("root"), "the script asks for root first");
    Command run =
        Command.run(
            folder, Map.of("PATH", tools() + ":/usr/bin:/bin", "JAVA_HOME", folder.toString()),
            List.of("/bin/bash", script("build"), "--check"));
    assertThat(run.output()).contains("has no jlink: a full JDK is needed");
  }

  @Test
  void theRuntimeHasWhatTheProgramNames() throws IOException, InterruptedException {
    // A class of the JDK for each module that only a name in a configuration or a service leads to.
    List<String> listed =
        Files.readAllLines(DOCKER.resolve("runtime-modules")).stream().map(line -> line.replaceFirst("#.*", "").strip())
            .filter(line -> !line.isEmpty() && !line.startsWith("-")).toList();
    assertThat(listed).doesNotHaveDuplicates().isSorted().contains("jdk.crypto.cryptoki", "jdk.localedata", "jdk.naming.dns");
    assertThat(listed).allSatisfy(name -> assertThat(ModuleFinder.ofSystem().find(name)).as(name).isPresent());
  }

  @ParameterizedTest
  @CsvSource({"200, 0", "503, 1"})
  void theHealthCheckAsksTheMetricsListener(int status, int exit) throws IOException, InterruptedException {
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/health/ready", exchange -> {
      exchange.sendResponseHeaders(status, -1);
      exchange.close();
    });
    server.start();
    try {
      Map<String, String> port = Map.of("GATEHOUSE_HEALTH_PORT", Integer.toString(server.getAddress().getPort()));
      assertThat(Command.run(folder, port, List.of("/bin/bash", script("healthy"))).exit()).isEqualTo(exit);
    } finally {
      server.stop(0);
    }
    assertThat(Command.run(folder, Map.of("GATEHOUSE_HEALTH_PORT", "1"), List.of("/bin/bash", script("healthy"))).exit()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"gatehouse.service, gatehouse run", "gatehouse-agent.service, gatehouse agent"})
  void systemdTakesTheUnitAndFindsItHardened(String name, String command) throws IOException, InterruptedException {
    String analyze = Command.installed("/usr/bin/systemd-analyze");
    // The program is not installed here.
    Path unit =
        Files.writeString(
            folder.resolve(name),
            Files.readString(DOCKER.resolve("systemd").resolve(name)).replace("/opt/gatehouse/" + command, "/bin/true run"));
    Command verified = Command.run(folder, analyze, "verify", "--man=no", unit.toString());
    assertThat(verified.output()).doesNotContain(name + ":");
    assertThat(verified.exit()).isZero();
    // Of 10: 1.4 here; the network alone is worth 1.
    Command security = Command.run(folder, analyze, "security", "--offline=true", "--threshold=20", "--no-pager", unit.toString());
    assertThat(security.exit()).as(security.output()).isZero();
  }

  /** It sets the flags of the JVM and the arenas of its allocator. */
  @Test
  void everyNodeIsStartedByTheLauncher() throws IOException {
    assertThat(Files.readString(DOCKER.resolve("systemd/gatehouse.service"))).contains("\nExecStart=/opt/gatehouse/gatehouse run ");
    assertThat(Files.readString(DOCKER.resolve("build"))).contains("--entrypoint '[\"/opt/gatehouse/gatehouse\"]'");
    assertThat(Files.readString(DOCKER.resolve("Dockerfile"))).contains("\nENTRYPOINT [\"/opt/gatehouse/gatehouse\"]");
    assertThat(Files.readString(DOCKER.resolve("helm/gatehouse/templates/deployment.yaml")))
        .doesNotContainPattern("(?m)^ *-? *(command|args):");
    for (String file : List.of("compose.yaml", "nodes/compose.yaml")) {
      assertThat(Files.readString(DOCKER.resolve(file))).doesNotContain("entrypoint:");
    }
  }

  @Test
  void aUserAndFoldersAreMade() throws IOException, InterruptedException {
    assumeTrue(System.getProperty("user.name").equals("root"), "makes files of other users");
    Path root = folder.resolve("root");
    Files.createDirectories(root.resolve("etc"));
    Command users =
        Command.run(
            folder, Command.installed("/usr/bin/systemd-sysusers"), "--root=" + root, DOCKER.resolve("systemd/sysusers.conf").toString());
    assertThat(users.exit()).as(users.output()).isZero();
    assertThat(Files.readString(root.resolve("etc/passwd"))).contains("gatehouse:x:", ":/var/lib/gatehouse:");
    Command folders =
        Command.run(
            folder, Command.installed("/usr/bin/systemd-tmpfiles"), "--root=" + root, "--create",
            DOCKER.resolve("systemd/tmpfiles.conf").toString());
    assertThat(folders.exit()).as(folders.output()).isZero();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root.resolve("etc/gatehouse")))).isEqualTo("rwxr-x---");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root.resolve("var/lib/gatehouse")))).isEqualTo("rwx------");
  }

  @Test
  void haproxyReadsItsConfiguration() throws IOException, InterruptedException {
    Command run = Command.run(folder, Command.installed("/usr/sbin/haproxy"), "-c", "-f", DOCKER.resolve("nodes/haproxy.cfg").toString());
    assertThat(run.output()).contains("Configuration file is valid").doesNotContain("WARNING");
    assertThat(run.exit()).isZero();
  }

  /** The balancer knows the nodes of the Compose file by their ports. */
  @Test
  void theBalancerKnowsEachNode() throws IOException {
    Map<String, Map<String, Object>> services = services();
    String balancer = Files.readString(DOCKER.resolve("nodes/haproxy.cfg"));
    List<String> nodes = services.keySet().stream().filter(name -> name.matches("(idp|gateway)-\\d")).toList();
    assertThat(nodes).containsExactly("idp-1", "idp-2", "gateway-1", "gateway-2");
    for (String node : nodes) {
      Map<String, Object> service = Objects.requireNonNull(services.get(node));
      Map<String, String> environment = (Map<String, String>) Objects.requireNonNull(service.get("environment"));
      assertThat(balancer)
          .contains("server " + node + " 127.0.0.1:" + environment.get("PUBLIC_PORT") + " port " + environment.get("METRICS_PORT") + "\n");
      assertThat(environment).containsEntry("GATEHOUSE_HEALTH_PORT", environment.get("METRICS_PORT")).containsKey("GATEHOUSE_MASTER_KEY");
      assertThat(service).containsEntry("read_only", true).containsEntry("cap_drop", List.of("ALL"));
    }
    assertThat(services).containsKeys("haproxy", "postgresql", "valkey", "directory", "app");
  }

  private static Map<String, Map<String, Object>> services() throws IOException {
    Map<String, Object> compose = new Yaml().load(Files.readString(DOCKER.resolve("nodes/compose.yaml")));
    return (Map<String, Map<String, Object>>) Objects.requireNonNull(compose.get("services"));
  }

  private static String script(String name) {
    return DOCKER.resolve(name).toString();
  }

  private Command build(String path, String... options) throws IOException, InterruptedException {
    return Command.run(
        folder, Map.of("PATH", path + ":" + withoutBuildah(), "JAVA_HOME", System.getProperty("java.home")),
        Stream.concat(Stream.of("/bin/bash", script("build")), Stream.of(options)).toList());
  }

  /** A folder with the ordinary programs that the script calls before it looks for its own. */
  private String withoutBuildah() throws IOException {
    Path programs = folder.resolve("programs");
    if (!Files.exists(programs)) {
      Files.createDirectories(programs);
      for (String program : List.of("dirname", "readlink", "uname", "id", "sed", "head", "git")) {
        Files.createSymbolicLink(programs.resolve(program), Path.of("/usr/bin", program));
      }
    }
    return programs.toString();
  }

  /** A folder with the tools that the script needs, which do nothing. */
  private String tools() throws IOException {
    Path tools = Files.createDirectories(folder.resolve("tools"));
    for (String tool : List.of("buildah", "debootstrap", "podman", "runc")) {
      Files.writeString(tools.resolve(tool), "#!/bin/sh\nexit 1\n");
      Files.setPosixFilePermissions(tools.resolve(tool), PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    return tools.toString();
  }
}
