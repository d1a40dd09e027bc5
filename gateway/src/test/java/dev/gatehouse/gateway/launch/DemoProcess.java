package dev.gatehouse.gateway.launch;

import dev.gatehouse.gateway.process.BuiltNode;
import dev.gatehouse.gateway.process.ServerProcess;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;

/** The built node as a process of its own, running the demo on free ports. */
public final class DemoProcess implements AutoCloseable {
  private static final int PORTS = 8;

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
    return new DemoProcess(folder, freePorts());
  }

  /** The first of its eight ports. */
  public int idp() {
    return base;
  }

  int app() {
    return base + 2;
  }

  int admin() {
    return base + 4;
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

  /** Eight free ports in a row, below those that the system hands out by itself. */
  private static int freePorts() {
    for (int base = 21_000 + (int) (ProcessHandle.current().pid() % 1000) * PORTS; base < 32_000; base += PORTS) {
      if (areFree(base)) {
        return base;
      }
    }
    throw new IllegalStateException("no eight free ports in a row");
  }

  private static boolean areFree(int base) {
    for (int port = base; port < base + PORTS; port++) {
      try (ServerSocket socket = new ServerSocket(port)) {
        socket.setReuseAddress(true);
      } catch (IOException e) {
        return false;
      }
    }
    return true;
  }
}
