package dev.gatehouse.perf.oauth;

import static dev.gatehouse.perf.harness.Markdown.format;

import dev.gatehouse.perf.harness.ClosedLoad;
import dev.gatehouse.perf.harness.Load;
import dev.gatehouse.perf.harness.WrkLoad;
import dev.gatehouse.perf.simulation.GatlingLoad;
import dev.gatehouse.perf.simulation.Settings;
import dev.gatehouse.perf.targets.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The measured flows: every flow of the published OAuth report, and newer ones. */
public enum Flow {
  CLIENT_CREDENTIALS_RS256(
      "client credentials, RS256 JWT", true, Wanted.of(0, 3).published(580),
      (server, number) -> Program.clientCredentials(server, BenchClient.RS256)),
  CLIENT_CREDENTIALS_ES256(
      "client credentials, ES256 JWT", true, Wanted.of(6000, 5).published(580),
      (server, number) -> Program.clientCredentials(server, BenchClient.ES256)),
  CLIENT_CREDENTIALS_OPAQUE(
      "client credentials, opaque", false, Wanted.of(6000, 0).published(580),
      (server, number) -> Program.clientCredentials(server, BenchClient.OPAQUE)),
  CLIENT_CREDENTIALS_DPOP(
      "client credentials with DPoP, ES256 JWT", true, Wanted.NOTHING,
      (server, number) -> Program.clientCredentialsWithDpop(server, BenchClient.ES256)),
  USERINFO(
      "userinfo, RS256 JWT", true, Wanted.of(10_000, 3).published(340),
      (server, number) -> Program.userInfo(server, BenchClient.RS256, number)),
  USERINFO_OPAQUE(
      "userinfo, opaque", false, Wanted.of(10_000, 0).published(340),
      (server, number) -> Program.userInfo(server, BenchClient.OPAQUE, number)),
  TOKENINFO(
      "tokeninfo, RS256 JWT", false, Wanted.of(10_000, 0).published(380),
      (server, number) -> Program.tokenInfo(server, BenchClient.RS256, number)),
  INTROSPECTION(
      "introspection, RS256 JWT", true, Wanted.of(10_000, 3),
      (server, number) -> Program.introspection(server, BenchClient.RS256, number)),
  INTROSPECTION_OPAQUE(
      "introspection, opaque", false, Wanted.of(10_000, 0),
      (server, number) -> Program.introspection(server, BenchClient.OPAQUE, number)),
  REFRESH(
      "refresh, rotating, ES256 JWT", true, Wanted.of(5000, 5).published(330),
      (server, number) -> Program.refresh(server, BenchClient.ES256, number)),
  REFRESH_OPAQUE(
      "refresh, rotating, opaque access token", false, Wanted.of(5000, 0).published(330),
      (server, number) -> Program.refresh(server, BenchClient.OPAQUE, number)),
  PAR(
      "authorization code, pushed request and existing session, ES256", true, Wanted.NOTHING,
      (server, number) -> SignIn.pushed(server, BenchClient.ES256, number)),
  CODE_WITH_SESSION(
      "authorization code, existing session, ES256", true, Wanted.of(1500, 5),
      (server, number) -> new SignIn(server, BenchClient.ES256, "code", true, number)),
  PASSWORD(
      "resource owner password, ES256", true, Wanted.of(Target.PASSWORD, Target.PASSWORD_BESIDE_KEYCLOAK).published(420),
      (server, number) -> Program.password(server, BenchClient.ES256, number)),
  CODE_WITH_LOGIN(
      "authorization code with login, ES256", true, Wanted.of(Target.CODE, Target.CODE_BESIDE_KEYCLOAK).published(120),
      (server, number) -> new SignIn(server, BenchClient.ES256, "code", false, number)),
  IMPLICIT_TOKEN(
      "implicit with login, access token, ES256", true, Wanted.NOTHING.published(155),
      (server, number) -> new SignIn(server, BenchClient.ES256, "token", false, number)),
  IMPLICIT_ID_TOKEN(
      "implicit with login, ID token, ES256", true, Wanted.NOTHING.published(158),
      (server, number) -> new SignIn(server, BenchClient.ES256, "id_token", false, number)),
  IMPLICIT_BOTH(
      "implicit with login, both, ES256", true, Wanted.NOTHING.published(140),
      (server, number) -> new SignIn(server, BenchClient.ES256, "id_token token", false, number));

  /** Creates a user of the flow. */
  @FunctionalInterface
  interface Opening {
    ClosedLoad.User open(OAuthServer server, int number) throws IOException;
  }

  /**
   * The required figures.
   *
   * @param rate per CPU second of our process, at least; empty for none
   * @param timesPeer the ratio of our rate to Keycloak's, at least; empty for none
   * @param cost of our process for one flow, without the directory
   * @param published per second, in the report of 2017, on 8 cores; 0 for none
   */
  record Wanted(String rate, String timesPeer, Optional<Target> cost, int published) {
    static final Wanted NOTHING = of(0, 0);

    /** At least; 0 for none. */
    static Wanted of(int perCpuSecond, int timesPeer) {
      return new Wanted(
          perCpuSecond == 0 ? "" : format("%,d", perCpuSecond), timesPeer == 0 ? "" : timesPeer + "x", Optional.empty(), 0);
    }

    static Wanted of(Target cost, Target timesPeer) {
      return new Wanted("", timesPeer.wanted(), Optional.of(cost), 0);
    }

    Wanted published(int perSecond) {
      return new Wanted(rate, timesPeer, cost, perSecond);
    }
  }

  private final String title;
  private final boolean atPeer;
  private final Wanted wanted;
  private final Opening opening;

  Flow(String title, boolean atPeer, Wanted wanted, Opening opening) {
    this.title = title;
    this.atPeer = atPeer;
    this.wanted = wanted;
    this.opening = opening;
  }

  /** The name on the command line. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  String title() {
    return title;
  }

  /** Returns whether Keycloak supports the flow. */
  boolean isAtPeer() {
    return atPeer;
  }

  Wanted wanted() {
    return wanted;
  }

  /** Returns whether each flow needs the directory; these are the last constants. */
  boolean isLogin() {
    return compareTo(PASSWORD) >= 0;
  }

  /** Returns whether the flow is a row of S3, which Gatling plays. */
  boolean isOfS3() {
    return switch (this) {
      case CLIENT_CREDENTIALS_RS256, PASSWORD, USERINFO, TOKENINFO, REFRESH, CODE_WITH_LOGIN, IMPLICIT_TOKEN, IMPLICIT_ID_TOKEN,
          IMPLICIT_BOTH -> true;
      default -> false;
    };
  }

  /** The row of the report on S3. */
  String simulationRow() {
    return "s3-" + word();
  }

  /** Those who use the flow over raw connections. */
  public ClosedLoad.UserFactory users(OAuthServer server) {
    return number -> opening.open(server, number);
  }

  /** The flow over raw connections. */
  public Load connections(OAuthServer server, int callers) throws IOException {
    return ClosedLoad.open(server.server(), word(), callers, users(server));
  }

  /**
   * The flow by wrk, one thread for all connections.
   *
   * @throws IOException if its requests are not prepared ones
   */
  Load multiplexed(OAuthServer server, int callers) throws IOException {
    try (ClosedLoad.User user = opening.open(server, 0)) {
      Optional<List<String>> requests = user instanceof Program program ? program.prepared() : Optional.empty();
      return WrkLoad.ofRequests(
          server.server(), word(), server.url(), callers,
          requests.orElseThrow(() -> new IOException(word() + " has no prepared requests, which --multiplexed needs")));
    }
  }

  /** The flow as a Gatling simulation. */
  Load simulation(OAuthServer server, int users, int people, Path work) {
    String client = title.contains("RS256") ? "RS256" : "ES256";
    Map<String, String> settings =
        Map.of("flow", name(), "client", client, "oauth", server.url() + server.endpoints().oauth());
    return new GatlingLoad(
        server.server(), simulationRow(), work, OAuthSimulation.class, Settings.of(users, people, settings), OAuthSimulation.FLOW);
  }
}
