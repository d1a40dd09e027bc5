package dev.gatehouse.perf.jmh;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.PolicyConfig;
import dev.gatehouse.common.realm.PolicyConfig.Condition;
import dev.gatehouse.common.realm.PolicyConfig.Effect;
import dev.gatehouse.common.realm.PolicyConfig.Rule;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.session.Lifetime;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.gateway.policy.Decision;
import dev.gatehouse.gateway.policy.RequestAttributes;
import dev.gatehouse.gateway.policy.Subject;
import dev.gatehouse.gateway.route.PathRoutes.Match;
import dev.gatehouse.gateway.route.RequestPath;
import dev.gatehouse.gateway.route.Route;
import dev.gatehouse.gateway.route.RouteTable;
import dev.gatehouse.gateway.route.VirtualHost;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.LocalAccount;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The decision on one request of a person: host, path, route, rules. Every route has the rules of all policies; a
 * person has five roles. {@code firstDecision} includes the evaluation of the person; {@code route} finds only the
 * route.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = {"-XX:+UseCompactObjectHeaders", "-Xmx1g"})
public class DecisionBenchmark {

  /** The number of requested paths, equal for small and large tables, so that only the tables differ. */
  private static final int ASKED = 10;

  @Param({"10/10", "10000/1000"})
  public String size = "10/10";

  private final InetAddress client = InetAddress.getLoopbackAddress();
  private final byte[][] paths = new byte[ASKED][];
  private VirtualHost site = site(RouteTable.of(List.of(TestRealms.demo()), true));
  private final Origin origin = Origin.of(URI.create(TestRealms.APP));
  private final Subject person = new Subject.Person(session());
  private int next;

  /** Builds a table of that many routes, each of which has the rules of that many policies. */
  @Setup
  public void prepare() {
    String[] numbers = size.split("/");
    int routes = Integer.parseInt(numbers[0]);
    List<PolicyConfig> policies = policies(Integer.parseInt(numbers[1]));
    List<RouteConfig> all = new ArrayList<>();
    for (int i = 0; i < routes; i++) {
      String path = i % 10 == 9 ? "/dept" + i / 100 + "/{item}/app" + i + "/" : "/dept" + i / 100 + "/app" + i + "/";
      all.add(
          TestRealms.route("app" + i, path, URI.create("http://127.0.0.1:9000"), new Access.Protected()).withPolicies(policies));
    }
    site = site(RouteTable.of(List.of(TestRealms.change(TestRealms.demo()).routes(all.toArray(RouteConfig[]::new)).realm()), true));
    for (int i = 0; i < ASKED; i++) {
      int route = i * (routes / ASKED);
      String path = route % 10 == 9 ? "/dept" + route / 100 + "/x/app" + route : "/dept" + route / 100 + "/app" + route;
      paths[i] = (path + "/reports/2026/index.html").getBytes(StandardCharsets.ISO_8859_1);
    }
  }

  private static VirtualHost site(RouteTable table) {
    return table.site(URI.create(TestRealms.APP).getHost()).orElseThrow();
  }

  /** Policies for different departments, the first of which is the person's; they permit only GET and POST. */
  private static List<PolicyConfig> policies(int number) {
    List<PolicyConfig> policies = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      policies.add(
          new PolicyConfig(
              "policy" + i,
              List.of(
                  new Rule(
                      "staff",
                      Effect.PERMIT,
                      List.of(new Condition.AnyRole(Set.of("role" + i)), new Condition.Methods(Set.of("GET", "POST")))),
                  new Rule("barred", Effect.DENY, List.of(new Condition.AnyRole(Set.of("barred" + i)))))));
    }
    return policies;
  }

  private static AppSession session() {
    return new AppSession(
        new SessionId("s"), "demo", new Lifetime(Instant.EPOCH, Instant.MAX, Instant.MAX),
        new LocalAccount(new PersonId("p"), "alice", List.of("role1", "role3", "role5", "other", "another"), List.of("staff"), Map.of()),
        new AppSession.Login("https://idp.example", NameId.of("n", NameId.UNSPECIFIED), Optional.empty(), Optional.empty(), Instant.EPOCH));
  }

  private record Asked(RequestPath normal, InetAddress client) implements RequestAttributes {
    @Override
    public String method() {
      return "GET";
    }

    @Override
    public String host() {
      return "app.localhost";
    }

    @Override
    public String path() {
      return normal.value();
    }

    @Override
    public Instant now() {
      return Instant.EPOCH;
    }

    @Override
    public Optional<String> variable(String name) {
      return Optional.empty();
    }
  }

  /** The complete decision, for a person of whom nothing is cached. */
  @Benchmark
  public Decision firstDecision() {
    byte[] raw = paths[next++ % ASKED];
    RequestPath path = RequestPath.of(raw, 0, raw.length).orElseThrow();
    if (site.find(origin, path, "GET") instanceof Match.Found(Route route)) {
      return route.rule().decide(person, new Asked(path, client));
    }
    throw new IllegalStateException("no route");
  }

  /** Only finds the route. */
  @Benchmark
  public Match route() {
    byte[] raw = paths[next++ % ASKED];
    return site.find(origin, RequestPath.of(raw, 0, raw.length).orElseThrow(), "GET");
  }
}
