package dev.gatehouse.perf;

import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.DemoApp;
import dev.gatehouse.perf.server.Federation;
import dev.gatehouse.perf.server.FreePorts;
import dev.gatehouse.perf.server.SlapdServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The servers of a benchmark, closed in reverse order of their start. */
final class Servers implements AutoCloseable {

  private final Build build;
  private final Path work;
  private final LoadOptions options;
  private final Deque<AutoCloseable> started = new ArrayDeque<>();

  /** @param build the build whose nodes are started */
  Servers(Build build, Path work, LoadOptions options) {
    this.build = build;
    this.work = work;
    this.options = options;
  }

  Path work() {
    return work;
  }

  /** Starts slapd with that many people, an app, and two federated nodes. */
  Running start(int people, List<Federation.Setup> setups) throws IOException, InterruptedException {
    Path folder = Files.createDirectories(work.resolve("people-" + people));
    Progress loading = new Progress("people loaded", people, System.err);
    SlapdServer slapd = closeAtEnd(SlapdServer.start(folder.resolve("slapd"), FreePorts.take(), people, loading));
    DemoApp app = closeAtEnd(DemoApp.start());
    Federation federation = closeAtEnd(Federation.start(build, folder, slapd.port(), people, app.url(), options.key, setups));
    return new Running(federation, slapd, people);
  }

  /** The running servers. */
  record Running(Federation federation, SlapdServer slapd, int people) {
    Load.Target target(String realm) {
      return new Load.Target(federation, federation.site(realm), slapd.process(), people);
    }
  }

  private <T extends AutoCloseable> T closeAtEnd(T resource) {
    started.push(resource);
    return resource;
  }

  @Override
  public void close() {
    while (!started.isEmpty()) {
      try {
        started.pop().close();
      } catch (Exception e) {
        System.err.println("could not be stopped: " + e.getMessage());
      }
    }
  }
}
