package dev.gatehouse.perf.modules;

import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.gateway.Certificates;
import dev.gatehouse.perf.gateway.Gateway;
import dev.gatehouse.perf.gateway.Pages;
import dev.gatehouse.perf.gateway.Work;
import dev.gatehouse.perf.harness.BenchmarkCommand;
import dev.gatehouse.perf.harness.Figures;
import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.harness.Load;
import dev.gatehouse.perf.harness.Options;
import dev.gatehouse.perf.harness.Run;
import dev.gatehouse.perf.harness.Server;
import dev.gatehouse.perf.harness.WrkLoad;
import dev.gatehouse.perf.http.Answer;
import dev.gatehouse.perf.http.Browser;
import dev.gatehouse.perf.http.Client;
import dev.gatehouse.perf.modules.ApachePeer.Ports;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.FreePorts;
import dev.gatehouse.perf.server.GatehouseNode;
import dev.gatehouse.perf.server.ServerProcess;
import dev.gatehouse.perf.server.SlapdServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench modules}. */
@Command(
    name = "modules",
    description = {
      "Compare a protected page of 14 KB at our gateway, session and role checked, with the same page at Apache with mod_auth_mellon and with",
      "mod_auth_openidc, session checked, in turns. People log in at our identity provider. Needs slapd, nginx, wrk, openssl, apache2",
      "and both modules. Takes 4 minutes."
    })
public final class ModulesCommand extends BenchmarkCommand {

  private static final String OURS = "Gatehouse";
  private static final String REALM = "bench";
  private static final String PAGE = "/page/page.html";
  private static final int PEOPLE = 1_000;

  @Option(names = "--connections", paramLabel = "N", defaultValue = "64", description = "Connections of wrk (${DEFAULT-VALUE}).")
  int connections;

  @Option(names = "--warm-up", paramLabel = "SECONDS", defaultValue = "30", description = "Warm-up of ours (${DEFAULT-VALUE}).")
  int warmUp;

  /** Started when the first module is measured. */
  private final List<AtApache> started = new ArrayList<>();

  public ModulesCommand() {
    super(new Options(5, 8));
  }

  @Override
  protected List<String> programs() {
    return List.of("slapd", "nginx", "wrk", "openssl", "apache2");
  }

  @Override
  protected void measure(Run run) throws IOException, InterruptedException {
    for (String module : List.of("mellon", "openidc")) {
      if (!Files.isRegularFile(ApachePeer.MODULES.resolve("mod_auth_" + module + ".so"))) {
        throw new IOException("mod_auth_" + module + " is missing (Debian: apt-get install libapache2-mod-auth-" + module + ")");
      }
    }
    Path www = run.work().resolve("www");
    Pages.write(www);
    ServerProcess slapd = run.closeAtEnd(SlapdServer.start(run.work(), PEOPLE));
    ServerProcess app = run.closeAtEnd(Pages.serve(run.work(), www));
    Certificates rsa = Certificates.rsa(run.work());
    List<Load> rows = new ArrayList<>();
    for (Build build : builds()) {
      Gateway gateway =
          run.closeAtEnd(
              Gateway.start(build, folder(run, build), "", app.port(), slapd.port(), rsa, Certificates.p256(run.work())));
      Server ours = new Server(build.name(), List.of(gateway.node().process(), slapd, app));
      Work work = Work.PROTECTED_PAGE;
      rows.addAll(run.warmUp(build.name(), () -> work.at(gateway, ours, connections, PEOPLE, PEOPLE), warmUp));
    }
    if (!isComparison()) {
      for (Protection each : Protection.values()) {
        rows.addAll(run.warmUp(each.title, () -> each.load(apache(run, www, slapd, rsa), connections), 5));
      }
    }
    run.measure(rows, options.rounds, options.seconds);
  }

  /** What the page is protected by. */
  private enum Protection {
    MELLON("mod_auth_mellon"),
    OPENIDC("mod_auth_openidc"),
    NONE("Apache, unprotected");

    private final String title;

    Protection(String title) {
      this.title = title;
    }

    private Load load(AtApache at, int connections) throws IOException {
      Server server = new Server(title, List.of(at.apache().process(), at.idp().process()));
      Ports ports = at.apache().ports();
      return switch (this) {
        case MELLON -> page(server, ports.mellonUrl(), connections, List.of(at.cookie(ports.mellonUrl())));
        case OPENIDC -> page(server, ports.openidcUrl(), connections, List.of(at.cookie(ports.openidcUrl())));
        case NONE -> page(server, "http://127.0.0.1:" + ports.plain(), connections, List.of());
      };
    }

    private static Load page(Server server, String url, int connections, List<String> fields) {
      return new WrkLoad(server, Work.PROTECTED_PAGE.word(), url + PAGE, connections, fields);
    }
  }

  /** Apache, and the identity provider at which people log in. */
  private record AtApache(GatehouseNode idp, ApachePeer apache) {

    /** The Cookie field of somebody who has logged in at the module. */
    String cookie(String origin) throws IOException {
      try (Browser browser = new Browser(List.of(origin, idp.url()))) {
        browser.open(
            origin + PAGE,
            Map.of("username", People.name(1), "password", People.password(1)),
            (at, answer) -> at.equals(origin + PAGE) && answer.status() == 200 && answer.body().length() == Pages.PAGE);
        return browser.cookieField(origin);
      }
    }
  }

  private AtApache apache(Run run, Path www, ServerProcess slapd, Certificates key) throws IOException, InterruptedException {
    if (started.isEmpty()) {
      Ports ports = new Ports(FreePorts.take(), FreePorts.take(), FreePorts.take());
      Path folder = Files.createDirectories(run.work().resolve("apache"));
      String sp = ApachePeer.metadata(ports, key);
      int port = FreePorts.take();
      Map<String, String> realms = Map.of(REALM, realm(ports, Files.writeString(folder.resolve("sp.xml"), sp), port, slapd.port()));
      GatehouseNode idp =
          run.closeAtEnd(
              GatehouseNode.configure("idp", folder, "[idp]", "idp", port, realms).start(Build.here())).await();
      String issuer = idp.url() + "/realms/" + REALM;
      ApachePeer apache = run.closeAtEnd(ApachePeer.start(folder, ports, www.resolve("page-14k.html"), key, sp, metadata(idp), issuer));
      started.add(new AtApache(idp, apache));
    }
    return started.getFirst();
  }

  private static String metadata(GatehouseNode idp) throws IOException {
    try (Client client = Client.program(URI.create(idp.url()))) {
      Answer answer = client.send(client.get("/realms/" + REALM + "/saml/metadata"));
      if (answer.status() != 200) {
        throw new IOException("the identity provider has no metadata: " + answer.status());
      }
      return answer.body();
    }
  }

  private static String realm(Ports ports, Path metadata, int port, int ldapPort) {
    return """
        idp:
          publicUrl: http://127.0.0.1:%1$d
        %2$spartners:
          - entityId: %3$s/mellon/metadata
            metadata: {file: %4$s}
            release: {uid: uid}
        clients:
          - clientId: %5$s
            secret: %6$s
            redirectUris: ["%7$s"]
        """
        .formatted(
            port, GatehouseNode.directory(ldapPort, "uid: uid, cn: cn, mail: mail"), ports.mellonUrl(), metadata, ApachePeer.CLIENT,
            ApachePeer.SECRET, ports.callback());
  }

  @Override
  protected void addSettings(Map<String, String> settings) {
    settings.put("Connections", Integer.toString(connections));
    settings.put("Warm-up", warmUp + " s, Apache's 5 s");
  }

  @Override
  protected String conclusions(List<Iteration> iterations) {
    Map<String, Figures> rows = new LinkedHashMap<>();
    rows.put(OURS, Figures.of(iterations, OURS, Work.PROTECTED_PAGE.word()));
    for (Protection each : Protection.values()) {
      rows.put(each.title, Figures.of(iterations, each.title, Work.PROTECTED_PAGE.word()));
    }
    return "A page of 14 KB, one person's session, wrk with one thread. Ours checks the role as well, and has the page in its cache; Apache serves the"
        + " file.\n" + Figures.table("server", rows);
  }
}
