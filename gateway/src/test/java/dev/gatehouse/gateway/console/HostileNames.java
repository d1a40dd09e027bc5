package dev.gatehouse.gateway.console;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.otp.replica.OtpOverview;
import dev.gatehouse.common.otp.replica.PrimaryRecord;
import dev.gatehouse.common.otp.replica.ServerState;
import dev.gatehouse.common.otp.replica.ServerTable.Replica;
import dev.gatehouse.common.otp.replica.ServerTable.Slot;
import dev.gatehouse.common.otp.replica.ServerTable.Told;
import dev.gatehouse.common.postgres.LiveNodes;
import dev.gatehouse.common.postgres.NodeTable;
import java.time.Duration;
import java.time.Instant;
import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.admin.AdminResource.ClientView;
import dev.gatehouse.common.realm.TestRealms;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** Names that are markup, and the pages of the console that could show them. */
final class HostileNames {

  static final String TEXT = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>";
  static final String ID = "https://evil.example/\"><script>alert(3)</script>";

  /** Those have tests of their own: they need an index of the audit log, figures, a configuration in a database, a job, a test login, a frame or tokens. */
  static final Set<String> ELSEWHERE =
      Set.of(
          "/console/assets/{file}", "/console/audit", "/console/audit/export", "/console/charts", "/console/charts/csv", "/console/charts/live",
          "/console/jobs/{id}",
          "/console/login/callback", "/console/login/person", "/console/set-up", "/console/realms/{realm}/people/data/export",
          "/console/realms/{realm}/test-login", "/console/realms/{realm}/theme/preview", "/console/realms/{realm}/entries", "/console/realms/{realm}/entries/remove",
          "/console/realms/{realm}/tokens", "/console/realms/{realm}/tokens/one", "/console/realms/{realm}/tokens/person",
          "/console/realms/{realm}/tokens/register", "/console/realms/{realm}/tokens/reports", "/console/realms/{realm}/tokens/reports/csv",
          "/console/realms/{realm}/tokens/trusts",
          "/console/revisions/{number}/rollback");

  private static final String REALM = "/console/realms/demo";

  private HostileNames() {}

  /** Every page that is read, with what partners, clients, people and administrators chose. */
  static List<String> pages() {
    String name = ConsoleBrowser.form("name", TEXT);
    String route = TestRealms.demo().gateway().routes().getFirst().name();
    List<String> paths = new ArrayList<>();
    for (String page :
        List.of(
            "", "realms", "people", "revisions", "revisions/2", "request", "request?id=hostile", "jobs", "jobs/audit-archive", "nodes", "nodes/drain?index=0", "upstreams",
            "upstreams/drain?server=10.0.0.1:8080", "administrators", "administrators?done=%3Cscript%3E",
            "administrators/grant?" + ConsoleBrowser.form("person", TEXT, "role", "viewer", "realm", "demo"),
            "administrators/revoke?" + ConsoleBrowser.form("person", TEXT + "-id"), "login")) {
      paths.add("/console/" + page);
    }
    for (String page :
        List.of(
            "", "/partners", "/partners?" + ConsoleBrowser.form("q", "<script>"), "/partner?" + ConsoleBrowser.form("id", ID),
            "/partners/import", "/clients", "/clients/remove?" + ConsoleBrowser.form("id", TEXT), "/routes",
            "/route?" + ConsoleBrowser.form("name", route), "/maintenance?" + ConsoleBrowser.form("route", route),
            "/maintenance/switch?" + ConsoleBrowser.form("route", route, "to", "on"), "/keys", "/keys/step?use=IDP_SIGNING&step=prepare",
            "/cache", "/cache/purge?" + ConsoleBrowser.form("tag", TEXT), "/authorizations",
            "/authorizations?" + ConsoleBrowser.form("q", TEXT), "/test-login/replay", "/people?" + name, "/people/end?" + name,
            "/people/end?kind=app&session=s1&" + name, "/people/data?" + name, "/people/access?" + name,
            "/people/access/end?what=authorization&id=a1&" + name,
            "/people/access/end?" + ConsoleBrowser.form("what", "passkey", "id", ID, "name", TEXT),
            "/people/access/end?" + ConsoleBrowser.form("what", "app-secrets", "id", TEXT, "name", TEXT),
            "/people/access/end?"
                + ConsoleBrowser.form("what", "federation", "id", TEXT, "kind", "links", "partner", ID, "name", TEXT),
            "/add", "/add/saml", "/add/openid", "/add/proxied", "/add/form-fill", "/theme",
            "/theme?" + ConsoleBrowser.form("template", TEXT), "/providers/import", "/people/release?" + name,
            "/connect?kind=routes&" + ConsoleBrowser.form("id", route))) {
      paths.add(REALM + page);
    }
    return paths;
  }

  /** Nodes whose hosts have names of somebody's choice: one in service, one drained, one that is gone. */
  static final class Nodes implements LiveNodes {

    private final Set<Integer> drained = new HashSet<>(Set.of(1));

    @Override
    public int servingApps() {
      return 2;
    }

    @Override
    public List<NodeTable.Member> members() {
      return IntStream.range(0, 3).mapToObj(this::member).toList();
    }

    private NodeTable.Member member(int number) {
      Optional<Instant> start = number == 2 ? Optional.empty() : Optional.of(TestTime.START);
      return new NodeTable.Member(
          number, TEXT, "1." + number, 7, TestTime.START, number < 2, number == 0 ? List.of("mail", TEXT) : List.of(), start, start,
          drained.contains(number));
    }

    @Override
    public boolean drain(int number, boolean wanted) {
      return wanted ? drained.add(number) : drained.remove(number);
    }
  }

  /** Servers of one-time passwords: a primary, one that follows, one that is isolated, one that lost its log, and one that never told. */
  static OtpOverview otpServers() {
    Slot follows = new Slot(16, Optional.of(0.25), true, 4_096, false);
    Told told = new Told(TestTime.START, 2, "REPLICA", Optional.empty(), 3, 0);
    return new OtpOverview(
        "berlin", ServerState.PRIMARY, new PrimaryRecord(2, "berlin"), Optional.empty(), Duration.ZERO, Optional.empty(), 0, 0,
        List.of(
            new Replica("paris", Optional.of(follows), Optional.of(told)),
            new Replica(
                "oslo", Optional.of(new Slot(16, Optional.empty(), false, 9_000_000, false)),
                Optional.of(new Told(TestTime.START, 2, "REPLICA", Optional.of(TestTime.START), 0, 7))),
            new Replica("rome", Optional.of(new Slot(16, Optional.empty(), false, 0, true)), Optional.empty()),
            new Replica(TEXT, Optional.empty(), Optional.empty())),
        Optional.of(1L << 30));
  }

  /** A client that registered with names of its own choice. */
  static final class Clients implements AdminResource.RegisteredClients {

    private static final ClientView CLIENT =
        new ClientView(TEXT, Optional.of(TEXT), List.of(ID, "javascript:alert(4)"), TEXT, TestTime.START);

    @Override
    public List<ClientView> page(String realm, String after, int limit) {
      return after.isEmpty() ? List.of(CLIENT) : List.of();
    }

    @Override
    public Optional<ClientView> find(String realm, String clientId) {
      return clientId.equals(TEXT) ? Optional.of(CLIENT) : Optional.empty();
    }

    @Override
    public boolean remove(String realm, String clientId) {
      return false;
    }
  }
}
