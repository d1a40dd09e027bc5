package dev.gatehouse.perf.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The scripts in {@code perf/peers} that start the servers for comparison. */
final class Peers {

  private Peers() {}

  static String script(String name) throws IOException {
    Path script = Path.of(System.getenv().getOrDefault("GATEHOUSE_HOME", "."), "perf", "peers", name);
    if (!Files.isExecutable(script)) {
      throw new IOException(script + " is missing: start benchmarks with ./gatehouse bench");
    }
    return script.toString();
  }
}
