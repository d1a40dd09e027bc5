package dev.gatehouse.gateway.launch;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.springframework.util.FileSystemUtils;

/** The packaged node as a process of its own, running the demo on free ports. Ended by its own id. */
final class DemoProcess implements AutoCloseable {
  static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();
  private static final int PORTS = 7;
  private static final long MOST_MILLIS = 120_000;

  private final Path folder;
  private final int base;
  private Process process;

  private DemoProcess(Path folder, int base, Process process) {
    this.folder = folder;
    this.base = base;
    this.process = process;
  }

  static DemoProcess start(Path folder) throws IOException, InterruptedException {
    int base = freePorts();
    DemoProcess demo = new DemoProcess(folder, base, launch(folder, base));
    demo.awaitReady();
    return demo;
  }

  int idp() {
    return base;
  }

  int app() {
    return base + 2;
  }

  int admin() {
    return base + 4;
  }

  String output() throws IOException {
    return Files.readString(folder.resolve("output.txt"));
  }

  /** Ends it as an operator would (SIGTERM) and starts it on the same data; returns the exit code of the first. */
  int restart() throws IOException, InterruptedException {
    int exit = stop();
    process = launch(folder, base);
    awaitReady();
    return exit;
  }

  int stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(30, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
    return process.exitValue();
  }

  @Override
  public void close() throws InterruptedException {
    stop();
  }

  /** The application as the launcher script runs it. */
  static Path extracted() throws IOException, InterruptedException {
    Path boot = Path.of("target/gatehouse-boot.jar").toAbsolutePath();
    Path app = Path.of("target/it-app").toAbsolutePath();
    Path jar = app.resolve(boot.getFileName());
    if (Files.exists(jar) && Files.getLastModifiedTime(jar).compareTo(Files.getLastModifiedTime(boot)) >= 0) {
      return jar;
    }
    FileSystemUtils.deleteRecursively(app);
    Process extraction =
        new ProcessBuilder(JAVA, "-Djarmode=tools", "-jar", boot.toString(), "extract", "--destination", app.toString())
            .inheritIO()
            .start();
    if (extraction.waitFor() != 0) {
      throw new IllegalStateException("cannot extract " + boot);
    }
    Files.setLastModifiedTime(jar, Files.getLastModifiedTime(boot));
    return jar;
  }

  private static Process launch(Path folder, int base) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(JAVA);
    command.addAll(List.of("-XX:+UseCompactObjectHeaders", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "-Xmx512m"));
    command.addAll(List.of("-jar", extracted().toString()));
    command.addAll(List.of("demo", "--port-base", String.valueOf(base), "--directory", folder.resolve("demo").toString()));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("output.txt").toFile())
        .start();
  }

  private void awaitReady() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MOST_MILLIS);
    while (!output().contains("Gatehouse is ready")) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        process.destroyForcibly();
        throw new IllegalStateException("the demo did not get ready:\n" + output());
      }
      Thread.sleep(50);
    }
  }

  /** Seven free ports in a row, below those that the system hands out by itself. */
  private static int freePorts() {
    for (int base = 21_000 + (int) (ProcessHandle.current().pid() % 1000) * 7; base < 32_000; base += PORTS) {
      if (areFree(base)) {
        return base;
      }
    }
    throw new IllegalStateException("no seven free ports in a row");
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
