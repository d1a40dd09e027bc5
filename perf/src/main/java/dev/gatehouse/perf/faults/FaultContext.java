package dev.gatehouse.perf.faults;

import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.harness.Resources;
import dev.gatehouse.perf.oauth.OAuthServer;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.Commands;
import dev.gatehouse.perf.server.GatehouseNode;
import dev.gatehouse.perf.server.ServerProcess;
import dev.gatehouse.perf.server.SlapdServer;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The resources of a running case. */
public final class FaultContext extends Resources {

  private final Duration duration;
  private final PrintStream out;

  FaultContext(Path work, Duration duration, PrintStream out) {
    super(work);
    this.duration = duration;
    this.out = out;
  }

  /** The duration of an attack or a soak. */
  public Duration duration() {
    return duration;
  }

  /** Prints the progress of the case. */
  public void progress(String line) {
    out.println("  " + line);
  }

  /** Starts slapd with some people. */
  ServerProcess slapd() throws IOException, InterruptedException {
    return closeAtEnd(SlapdServer.start(work(), 2 * People.PER_USER));
  }

  /** Starts an identity provider with the clients of {@link dev.gatehouse.perf.oauth.BenchClient}; it is ready. */
  IdpNode idp() throws IOException, InterruptedException {
    ServerProcess slapd = slapd();
    return closeAtEnd(new IdpNode(OAuthServer.configure(work(), slapd).start(Build.here()).await(), slapd));
  }

  /** An identity provider of a case. */
  record IdpNode(GatehouseNode node, ServerProcess slapd) implements AutoCloseable {

    OAuthServer server() throws IOException {
      return OAuthServer.of(Build.here(), node, slapd);
    }

    Path data() {
      return node.configured().data();
    }

    /** Starts a node on the same address and data, after this one was closed. */
    IdpNode startAgain() throws IOException {
      return new IdpNode(node.configured().start(Build.here()), slapd);
    }

    @Override
    public void close() {
      node.close();
    }
  }

  /**
   * Starts an attacker as a separate process, so that the prober and the attacker share neither heap nor garbage
   * collector. Its output goes to {@code attacker.log}.
   *
   * @param main has {@code public static void main(String[])}
   */
  Process attack(Class<?> main, Object... arguments) throws IOException {
    List<String> words = List.of(arguments).stream().map(Object::toString).toList();
    Process process =
        new ProcessBuilder(Commands.java(List.of("-Xmx512m", "-XX:+UseSerialGC"), main, words))
            .redirectErrorStream(true)
            .redirectOutput(attackerLog().toFile())
            .start();
    closeAtEnd(process::destroyForcibly);
    return process;
  }

  Path attackerLog() {
    return work().resolve("attacker.log");
  }
}
