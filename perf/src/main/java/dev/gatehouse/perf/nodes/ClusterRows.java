package dev.gatehouse.perf.nodes;

import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.gateway.Pages;
import dev.gatehouse.perf.gateway.Scenario;
import dev.gatehouse.perf.gateway.Visits;
import dev.gatehouse.perf.harness.ClosedLoad;
import dev.gatehouse.perf.harness.Load;
import dev.gatehouse.perf.harness.Resources;
import dev.gatehouse.perf.harness.Server;
import dev.gatehouse.perf.nodes.Cluster.Entry;
import dev.gatehouse.perf.saml.SamlCase;
import dev.gatehouse.perf.saml.SamlSimulation;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.DemoApp;
import dev.gatehouse.perf.server.Federation;
import dev.gatehouse.perf.server.GatehouseNode;
import dev.gatehouse.perf.server.ServerProcess;
import dev.gatehouse.perf.server.SlapdServer;
import dev.gatehouse.perf.simulation.GatlingLoad;
import dev.gatehouse.perf.simulation.Settings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The rows of several nodes, all at one cluster. */
final class ClusterRows extends Resources {

  /** The first row of S1, at which numbers of nodes and kinds of storage are compared. */
  static final SamlCase LOGIN = SamlCase.all().getFirst();

  static final String EXTRANET = "s5-cookie";
  static final String EXTRANET_PASSWORD = "s5-password";
  static final String AUTHMARK = "s4-login";

  private static final String MARK = "mark";
  private static final String SECURED = "https";
  private static final String KEY = "rsa-2048";
  private static final int PEOPLE = 2_000;
  private static final int USERS = 32;

  /** As few browsers as give one node about the load of each of two, which says what an idler node costs by itself. */
  private static final int FEW_USERS = 2;

  static final String FEW = ", " + FEW_USERS + " browsers";
  private static final int CALLERS = 16;

  private final SharedServers shared;
  private final ServerProcess slapd;
  private final DemoApp app;
  private final ServerProcess pages;
  private final Map<Entry, Federation.Setup> setups = new LinkedHashMap<>();
  private final List<Opening> openings = new ArrayList<>();

  /** Makes a load, once the cluster runs. */
  @FunctionalInterface
  private interface Opening {
    Load open(Cluster cluster) throws IOException, InterruptedException;
  }

  ClusterRows(Path work, SharedServers shared) throws IOException, InterruptedException {
    super(Files.createDirectories(work));
    this.shared = shared;
    this.slapd = closeAtEnd(SlapdServer.start(work, PEOPLE));
    this.app = closeAtEnd(DemoApp.start());
    Path www = work.resolve("www");
    Pages.write(www);
    this.pages = closeAtEnd(Pages.serve(work, www));
  }

  /** The sixteen cases of S1; for half of them people are federated before. */
  static List<SamlCase> columns() {
    return SamlCase.all();
  }

  /** Starts the nodes that the rows need. @param scenarios of {@link Row#S2} */
  List<Load> open(List<Row> rows, List<Scenario> scenarios) throws IOException, InterruptedException {
    List<Load> loads = new ArrayList<>();
    for (Row row : rows) {
      switch (row) {
        case S1 -> {
          loads.add(embedded());
          Entry one = entry(Front.ONE, "s1", LOGIN.setup());
          saml(Row.S1.word(), "", USERS, LOGIN, one);
          saml(Row.S1.word(), FEW, FEW_USERS, LOGIN, one);
          for (Front front : List.of(Front.TWO, Front.STICKY)) {
            saml(Row.S1.word(), "", USERS, LOGIN, entry(front, "s1", LOGIN.setup()));
          }
        }
        case S1_COLUMNS -> {
          Map<String, Entry> realms = new HashMap<>();
          for (SamlCase each : columns()) {
            if (!realms.containsKey(each.realm())) {
              realms.put(each.realm(), entry(Front.TWO, each.realm(), each.setup()));
            }
            saml(each.name(), "", USERS, each, Objects.requireNonNull(realms.get(each.realm())));
          }
        }
        case S2 -> {
          for (Front front : List.of(Front.ONE, Front.TWO, Front.STICKY)) {
            Entry entry = entry(front, SECURED, Federation.Setup.plain(), true);
            scenarios.forEach(each -> secured(each, entry));
          }
        }
        case S4_S5 -> {
          for (Front front : List.of(Front.ONE, Front.TWO, Front.THREE, Front.FOUR)) {
            Entry entry = entry(front, MARK, Federation.Setup.plain());
            visits(AUTHMARK, entry, Visits.Later.NONE);
            visits(EXTRANET, entry, Visits.Later.BY_COOKIE);
            visits(EXTRANET_PASSWORD, entry, Visits.Later.BY_PASSWORD);
          }
        }
        case SIGN_ON, CODE, REFRESH, CLIENT_CREDENTIALS, PAGE, SESSIONS, GAP -> {}
      }
    }
    Cluster cluster =
        closeAtEnd(Cluster.apart(work().resolve("nodes"), shared, slapd, List.copyOf(setups.keySet()), this::idpRealm, this::appRealm));
    for (Map.Entry<Entry, Federation.Setup> each : setups.entrySet()) {
      if (each.getValue().inBulk()) {
        cluster.federate(each.getKey(), PEOPLE);
      }
    }
    for (Opening each : openings) {
      loads.add(closeAtEnd(each.open(cluster)));
    }
    return loads;
  }

  private Entry entry(Front front, String name, Federation.Setup setup) throws IOException {
    return entry(front, name, setup, false);
  }

  private Entry entry(Front front, String name, Federation.Setup setup, boolean isSecure) throws IOException {
    Entry entry = Entry.of(front, name, setups.size(), isSecure);
    setups.put(entry, new Federation.Setup(entry.realm(), setup.idpKeys(), setup.spKeys(), setup.inBulk()));
    return entry;
  }

  private Federation.Setup setup(Entry entry) {
    return Objects.requireNonNull(setups.get(entry));
  }

  private String idpRealm(Entry entry) {
    return Federation.idpRealm(entry.idpUrl(), entry.appUrl(), slapd.port(), KEY, setup(entry));
  }

  private String appRealm(Entry entry) {
    if (entry.realm().endsWith(SECURED)) {
      return securedRealm(entry, slapd.port(), pages.port());
    }
    if (!entry.realm().endsWith(MARK)) {
      return Federation.spRealm(entry.idpUrl(), entry.appUrl(), app.url(), slapd.port(), KEY, setup(entry));
    }
    return """
        sp:
          publicUrl: %1$s
          identityProvider: %2$s/realms/%3$s
          session: {idle: 8h, absolute: 8h}
        %4$s  groups: {base: "ou=groups,dc=example,dc=com"}
        partners:
          - entityId: %2$s/realms/%3$s
            metadata: {url: "%2$s/realms/%3$s/saml/metadata"}
        routes:
          - path: /mark/
            upstream: http://127.0.0.1:%5$d
            contract: basic
            passwordCache: 1d
            cache: {shareByRole: true}
        """
        .formatted(
            entry.appUrl(), entry.idpUrl(), entry.realm(), GatehouseNode.directory(slapd.port(), "uid: uid, mail: mail"), pages.port());
  }

  /** The rows of S2 by https. @param app the port of {@link Pages} */
  static String securedRealm(Entry entry, int ldap, int app) {
    return """
        sp:
          publicUrl: %1$s
          identityProvider: %2$s/realms/%3$s
          session: {idle: 8h, absolute: 8h}
        %4$s  groups: {base: "ou=groups,dc=example,dc=com"}
        partners:
          - entityId: %2$s/realms/%3$s
            metadata: {url: "%2$s/realms/%3$s/saml/metadata"}
        routes:
        %5$s"""
        .formatted(
            entry.appUrl(), entry.idpUrl(), entry.realm(), GatehouseNode.directory(ldap, "uid: uid, mail: mail"), Scenario.routes(app));
  }

  /** One node of each role with embedded storage, without a balancer. */
  private Load embedded() throws IOException, InterruptedException {
    Path folder = Files.createDirectories(work().resolve(Pairs.EMBEDDED));
    Federation federation =
        closeAtEnd(Federation.start(Build.here(), folder, slapd.port(), PEOPLE, app.url(), KEY, List.of(LOGIN.setup())));
    Server server =
        new Server(Front.ONE.both() + ", " + Pairs.EMBEDDED, List.of(federation.idp().process(), federation.sp().process(), slapd));
    String appUrl = Objects.requireNonNull(federation.appUrls().get(LOGIN.realm()));
    return saml(server, Row.S1.word(), USERS, LOGIN, federation.idpUrl(), appUrl, LOGIN.realm());
  }

  private void saml(String row, String suffix, int users, SamlCase each, Entry entry) {
    openings.add(
        cluster ->
            saml(
                cluster.server(entry.front().both() + suffix, entry), row, users, each, entry.idpUrl(), entry.appUrl(),
                entry.realm()));
  }

  private Load saml(Server server, String row, int users, SamlCase each, String idpUrl, String appUrl, String realm) {
    Map<String, String> settings = Map.of("case", each.name(), "idp", idpUrl, "app", appUrl, "realm", realm);
    return new GatlingLoad(
        server, row, work().resolve("gatling"), SamlSimulation.class, Settings.of(users, PEOPLE, settings), each.transaction());
  }

  private void secured(Scenario scenario, Entry entry) {
    Scenario.Site site = Scenario.Site.secure(entry.appUrl(), entry.idpUrl());
    openings.add(cluster -> scenario.connections(site, cluster.server(entry.front().both(), entry), CALLERS, PEOPLE));
  }

  private void visits(String row, Entry entry, Visits.Later later) {
    URI url = URI.create(entry.appUrl());
    String name = entry.front().nodes() + " gateway" + (entry.front().nodes() == 1 ? "" : "s");
    openings.add(
        cluster ->
            ClosedLoad.open(
                cluster.server(name, entry), row, CALLERS,
                number -> new Visits(url, "/mark/page-14k.html", later, People.PER_USER * CALLERS, Pages.PAGE, number)));
  }
}
