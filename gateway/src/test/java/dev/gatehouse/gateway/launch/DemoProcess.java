package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.FreePorts;
import dev.gatehouse.gateway.process.BuiltNode;
import dev.gatehouse.gateway.process.ServerProcess;
import java.nio.file.Path;
import java.util.Map;

/** The built node as a process of its own, running the demo on free ports. */
public final class DemoProcess implements AutoCloseable {
  private static final int PORTS = 9;

  private final Path folder;
  private final int base;
  private ServerProcess process;

  private DemoProcess(Path folder, int base) {
    this.folder = folder;
    this.base = base;
    this.process = launch(folder, base);
  }

  /** @param folder where it makes the folder {@code demo} */
  public static DemoProcess start(Path folder) {
    return new DemoProcess(folder, FreePorts.inARow(PORTS));
  }

  /** The first of its nine ports. */
  public int idp() {
    return base;
  }

  int app() {
    return base + 2;
  }

  int admin() {
    return base + 4;
  }

  /** Of UDP. */
  int radius() {
    return base + 8;
  }

  String output() {
    return process.output();
  }

  /** Ends it as an operator would (SIGTERM) and starts it on the same data; returns the exit code of the first. */
  int restart() {
    int exit = process.stop();
    process = launch(folder, base);
    return exit;
  }

  @Override
  public void close() {
    process.close();
  }

  private static ServerProcess launch(Path folder, int base) {
    return BuiltNode.start(
        folder, Map.of(), "demo", "--port-base", String.valueOf(base), "--directory", folder.resolve("demo").toString());
  }
}
