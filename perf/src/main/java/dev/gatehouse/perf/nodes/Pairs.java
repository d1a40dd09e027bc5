package dev.gatehouse.perf.nodes;

import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.gateway.Certificates;
import dev.gatehouse.perf.gateway.Gateway;
import dev.gatehouse.perf.gateway.Pages;
import dev.gatehouse.perf.gateway.Work;
import dev.gatehouse.perf.harness.Load;
import dev.gatehouse.perf.harness.Resources;
import dev.gatehouse.perf.harness.Run;
import dev.gatehouse.perf.harness.Server;
import dev.gatehouse.perf.nodes.SharedServers.Deployment;
import dev.gatehouse.perf.oauth.Flow;
import dev.gatehouse.perf.oauth.OAuthServer;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.GatehouseNode;
import dev.gatehouse.perf.server.ServerProcess;
import dev.gatehouse.perf.server.SlapdServer;
import dev.gatehouse.perf.sso.SignOnServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The same work at one node with embedded storage and at one with shared storage, in turns. */
final class Pairs extends Resources {

  static final String EMBEDDED = "embedded";
  static final String SHARED = "shared";

  private static final Map<Row, Flow> FLOWS =
      Map.of(
          Row.CODE, Flow.CODE_WITH_SESSION, Row.REFRESH, Flow.REFRESH, Row.CLIENT_CREDENTIALS, Flow.CLIENT_CREDENTIALS_ES256);
  private static final int CALLERS = 16;
  private static final int CONNECTIONS = 64;
  private static final String KEY = "rsa-2048";

  private final SharedServers shared;
  private final ServerProcess slapd;
  private final Run run;
  private final int warmUp;

  Pairs(Run run, Path work, SharedServers shared, int warmUp) throws IOException, InterruptedException {
    super(Files.createDirectories(work));
    this.run = run;
    this.shared = shared;
    this.warmUp = warmUp;
    this.slapd = closeAtEnd(SlapdServer.start(work, CALLERS * People.PER_USER));
  }

  /** The name under which the report has the flow or the work of a row. */
  static String load(Row row) {
    Flow flow = FLOWS.get(row);
    if (flow != null) {
      return flow.word();
    }
    return row == Row.PAGE ? Work.PROTECTED_PAGE.word() : KEY;
  }

  /** Starts both nodes that the rows need, warmed up. */
  List<Load> open(List<Row> rows) throws IOException, InterruptedException {
    List<Load> loads = new ArrayList<>();
    if (rows.contains(Row.SIGN_ON)) {
      loads.addAll(signOn());
    }
    List<Flow> flows = rows.stream().filter(FLOWS::containsKey).map(FLOWS::get).toList();
    if (!flows.isEmpty()) {
      loads.addAll(oauth(flows));
    }
    if (rows.contains(Row.PAGE)) {
      loads.addAll(pages());
    }
    return loads;
  }

  private Server server(String name, ServerProcess node, boolean isShared) {
    List<ServerProcess> processes = new ArrayList<>(List.of(node, slapd));
    if (isShared) {
      processes.addAll(shared.processes());
    }
    return new Server(name, processes);
  }

  /** Starts something of each kind, embedded first. */
  @FunctionalInterface
  private interface Opening {
    List<Load> open(Path work, String storage, String name) throws IOException, InterruptedException;
  }

  private List<Load> both(String what, Opening opening) throws IOException, InterruptedException {
    Deployment deployment = shared.deployment(what);
    List<Load> loads = new ArrayList<>(opening.open(folder(what, EMBEDDED), "", EMBEDDED));
    loads.addAll(opening.open(folder(what, SHARED), deployment.storage(0), SHARED));
    return loads;
  }

  private Path folder(String what, String name) throws IOException {
    return Files.createDirectories(work().resolve(what + "-" + name));
  }

  private List<Load> signOn() throws IOException, InterruptedException {
    return both(
        "signon",
        (folder, storage, name) -> {
          SignOnServer made = SignOnServer.gatehouse(this, Build.here(), folder, KEY, slapd, storage);
          SignOnServer named =
              new SignOnServer(
                  server(name, made.server().processes().getFirst(), name.equals(SHARED)), made.key(), made.requests(), made.login());
          return run.warmUp(name, () -> named.load(CALLERS), warmUp);
        });
  }

  private List<Load> oauth(List<Flow> flows) throws IOException, InterruptedException {
    return both(
        "oauth",
        (folder, storage, name) -> {
          GatehouseNode node = closeAtEnd(OAuthServer.configure(folder, slapd, storage).start(Build.here())).await();
          OAuthServer made = OAuthServer.of(Build.here(), node, slapd);
          OAuthServer named = new OAuthServer(server(name, node.process(), name.equals(SHARED)), made.url(), made.endpoints());
          List<Load> loads = new ArrayList<>();
          for (Flow flow : flows) {
            loads.addAll(run.warmUp(name + ", " + flow.word(), () -> flow.connections(named, CALLERS), warmUp));
          }
          return loads;
        });
  }

  private List<Load> pages() throws IOException, InterruptedException {
    Path www = work().resolve("www");
    Pages.write(www);
    ServerProcess app = closeAtEnd(Pages.serve(work(), www));
    Certificates rsa = Certificates.rsa(work());
    Certificates p256 = Certificates.p256(work());
    return both(
        "page",
        (folder, storage, name) -> {
          Gateway gateway = closeAtEnd(Gateway.start(Build.here(), folder, storage, app.port(), slapd.port(), rsa, p256));
          Server server = server(name, gateway.node().process(), name.equals(SHARED));
          int people = CALLERS * People.PER_USER;
          return run.warmUp(name, () -> Work.PROTECTED_PAGE.at(gateway, server, CONNECTIONS, people, people), warmUp);
        });
  }
}
