package dev.gatehouse.perf.faults;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.JdbcRegisteredClients;
import dev.gatehouse.common.db.RegisteredClients.RegisteredClient;
import dev.gatehouse.common.db.SecondFactors.Factor;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.JdbcSecondFactors;
import dev.gatehouse.perf.http.Client;
import dev.gatehouse.perf.oauth.BenchClient;
import dev.gatehouse.perf.oauth.OAuthServer;
import dev.gatehouse.perf.oauth.SignIn;
import dev.gatehouse.perf.oauth.Tokens;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The state that a node has acknowledged before its files are damaged: a session, tokens, revocations, a second factor,
 * a client, audit lines.
 */
final class AcknowledgedFacts implements AutoCloseable {

  private static final String REALM = "bench";
  private static final PersonId PERSON = new PersonId("somebody");
  private static final int TOKENS = 6;

  private final SignIn session;
  private final List<Tokens> live;
  private final List<Tokens> revoked;
  private final List<String> audit;

  private AcknowledgedFacts(SignIn session, List<Tokens> live, List<Tokens> revoked, List<String> audit) {
    this.session = session;
    this.live = live;
    this.revoked = revoked;
    this.audit = audit;
  }

  /** Creates the state with a node that is ready; the node is stopped afterwards. */
  static AcknowledgedFacts create(FaultContext.IdpNode first) throws IOException, InterruptedException {
    SignIn session;
    List<Tokens> live;
    try (first; Client api = Client.program(first.server().url())) {
      session = new SignIn(first.server(), BenchClient.OPAQUE, "code", true, 0);
      session.once();
      live = issue(first.server(), api);
    }
    addToDatabase(first.data());
    // The second start writes tables; its revocations are only in the log.
    List<Tokens> revoked;
    try (FaultContext.IdpNode second = first.startAgain()) {
      second.node().await();
      OAuthServer idp = second.server();
      try (Client api = Client.program(idp.url())) {
        revoked = issue(idp, api);
        for (Tokens token : revoked) {
          api.reconnect();
          api.send(api.post(idp.endpoints().revoke(), "token=" + token.access(), BenchClient.OPAQUE.basic()));
        }
      }
    }
    return new AcknowledgedFacts(session, live, revoked, Files.readAllLines(auditLog(first.data())));
  }

  private static List<Tokens> issue(OAuthServer idp, Client api) throws IOException {
    Tokens[] issued = new Tokens[TOKENS];
    for (int i = 0; i < TOKENS; i++) {
      api.reconnect();
      issued[i] = Tokens.ofPerson(api, idp, BenchClient.OPAQUE, i + 1, "openid");
    }
    return List.of(issued);
  }

  private static void addToDatabase(Path data) {
    try (Database database = Database.embedded(data)) {
      new JdbcSecondFactors(database)
          .add(REALM, PERSON, new Factor("factor", "phone", 6, new byte[] {1}, Instant.now(), Optional.empty()), 5);
      new JdbcRegisteredClients(database)
          .add(new RegisteredClient(REALM, "registered", "{}", Optional.empty(), "digest", "bench", Instant.now()));
    }
  }

  /** Returns whether the session and the tokens are valid, and the revoked tokens are not. */
  boolean areServedBy(OAuthServer idp) throws IOException {
    return sessionsAndTokensAlive(idp) == 1 + live.size() && alive(idp, revoked) == 0;
  }

  int sessionsAndTokensAlive(OAuthServer idp) throws IOException {
    return alive(idp, live) + (isLoggedIn() ? 1 : 0);
  }

  private boolean isLoggedIn() {
    try {
      session.reconnect();
      session.once();
      return true;
    } catch (IOException asksForAPassword) {
      return false;
    }
  }

  private static int alive(OAuthServer idp, List<Tokens> tokens) throws IOException {
    int alive = 0;
    try (Client api = Client.program(idp.url())) {
      for (Tokens token : tokens) {
        alive += isActive(idp, api, token) ? 1 : 0;
      }
    }
    return alive;
  }

  /** Returns whether introspection knows a token. */
  static boolean isActive(OAuthServer idp, Client api, Tokens token) throws IOException {
    api.reconnect();
    String form = "token=" + token.access();
    return api.send(api.post(idp.endpoints().introspect(), form, BenchClient.OPAQUE.basic())).body().contains("\"active\":true");
  }

  /** Returns whether a stopped node's data contain the second factor, the client, and every line of the audit log. */
  boolean areStoredIn(Path data) throws IOException {
    List<String> lines = Files.readAllLines(auditLog(data));
    boolean isAudited =
        lines.size() >= audit.size() && IntStream.range(0, audit.size()).allMatch(i -> lines.get(i).equals(audit.get(i)));
    try (Database database = Database.embedded(data)) {
      return isAudited
          && !new JdbcSecondFactors(database).of(REALM, PERSON).isEmpty()
          && new JdbcRegisteredClients(database).find(REALM, "registered").isPresent();
    }
  }

  boolean needConfirmation(Path data) {
    try (Database database = Database.embedded(data)) {
      return new JdbcSecondFactors(database).needsConfirmation(REALM, PERSON);
    }
  }

  private static Path auditLog(Path data) {
    return data.resolve("audit").resolve("audit.jsonl");
  }

  @Override
  public void close() throws IOException {
    session.close();
  }
}
