package dev.gatehouse.gateway.demo.nodes;

import dev.gatehouse.gateway.demo.nodes.OwnProcess.End;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One node of the demo: {@code gatehouse run} in a process of its own. */
final class DemoNode {
  private static final String MAIN = "dev.gatehouse.gateway.launch.Launcher";
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final int number;
  private final NodePorts.OfNode ports;
  private final Path log;
  private final OwnProcess process;

  private DemoNode(int number, NodePorts.OfNode ports, Path log, OwnProcess process) {
    this.number = number;
    this.ports = ports;
    this.log = log;
    this.process = process;
  }

  /**
   * Writes the configuration of a node and starts it.
   *
   * @param folder of this node
   * @param further arguments of {@code gatehouse run}
   */
  static DemoNode start(int number, Path folder, NodePorts all, DemoSecrets secrets, List<String> further) {
    NodePorts.OfNode ports = all.node(number);
    Path config = folder.resolve("config");
    Path log = folder.resolve("log");
    try {
      Files.createDirectories(config);
      Files.deleteIfExists(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    ServerAccount.THIS.write(config.resolve("gatehouse.yaml"), configuration(number, ports, all, secrets));
    List<String> command = command();
    command.addAll(List.of("run", "--config", config.toAbsolutePath().toString()));
    command.addAll(further);
    OwnProcess process = OwnProcess.start("node " + number, log, ServerAccount.THIS, End.KILL, End.TERM, command);
    return new DemoNode(number, ports, log, process);
  }

  private static String configuration(int number, NodePorts.OfNode ports, NodePorts all, DemoSecrets secrets) {
    return all.people()
        .fillIn(
            Folders.template("gatehouse.yaml")
                .replace("@index@", String.valueOf(number))
                .replace("@nodeIdp@", String.valueOf(ports.idp()))
                .replace("@nodeGateway@", String.valueOf(ports.gateway()))
                .replace("@nodeAdmin@", String.valueOf(ports.admin()))
                .replace("@nodeMetrics@", String.valueOf(ports.metrics()))
                .replace("@postgresql@", String.valueOf(all.postgresql()))
                .replace("@valkey@", String.valueOf(all.valkey())))
        .replace("@masterKey@", secrets.masterKey())
        .replace("@postgresqlPassword@", secrets.postgresql())
        .replace("@valkeyPassword@", secrets.valkey());
  }

  /** The program and options of this process. */
  private static List<String> command() {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse(Path.of(System.getProperty("java.home"), "bin/java").toString()));
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    String classes = System.getProperty("java.class.path");
    // The AOT cache is valid for the jar that is named so.
    command.addAll(classes.endsWith("gatehouse.jar") ? List.of("-jar", classes) : List.of("-cp", classes, MAIN));
    return command;
  }

  /** Returns when the node serves. */
  void await() throws InterruptedException {
    process.await(this::saysReady, PATIENCE);
  }

  private boolean saysReady() {
    try {
      return Files.readString(log).contains("Gatehouse is ready");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int number() {
    return number;
  }

  NodePorts.OfNode ports() {
    return ports;
  }

  OwnProcess process() {
    return process;
  }
}
