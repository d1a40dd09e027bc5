package dev.gatehouse.perf.sso;

import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.harness.ClosedLoad;
import dev.gatehouse.perf.harness.Load;
import dev.gatehouse.perf.harness.Resources;
import dev.gatehouse.perf.harness.Run;
import dev.gatehouse.perf.harness.Server;
import dev.gatehouse.perf.http.Answer;
import dev.gatehouse.perf.http.Client;
import dev.gatehouse.perf.http.FilledForm;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.FreePorts;
import dev.gatehouse.perf.server.GatehouseNode;
import dev.gatehouse.perf.server.KeycloakServer;
import dev.gatehouse.perf.server.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * An identity provider under test. It signs the Assertion alone, so there is one signature per Response.
 *
 * @param requests the AuthnRequests for it
 * @param login the request that logs a browser in
 */
public record SignOnServer(Server server, String key, AuthnRequests requests, Login login) {

  private static final String REALM = "bench";
  private static final int CHECKED_ONE_IN = 200;

  /** Logs a person in. */
  @FunctionalInterface
  public interface Login {
    Answer in(Client browser) throws IOException;
  }

  /** A Gatehouse node with durable embedded storage and people in slapd. */
  static SignOnServer gatehouse(Run run, Build build, Path work, String key, ServerProcess slapd)
      throws IOException, InterruptedException {
    return gatehouse(run, build, work, key, slapd, "");
  }

  /** @param storage keys of gatehouse.yaml, as {@link GatehouseNode#configure} takes them */
  public static SignOnServer gatehouse(
      Resources run, Build build, Path work, String key, ServerProcess slapd, String storage) throws IOException, InterruptedException {
    GatehouseNode node = run.closeAtEnd(configure(work, key, slapd.port(), storage, Optional.empty()).start(build)).await();
    return of(build, node, key, slapd);
  }

  /**
   * The configuration of a node with people in slapd.
   *
   * @param storage keys of gatehouse.yaml, as {@link GatehouseNode#configure} takes them
   * @param session keys of the realm's sessions, such as {@code idle: 8h}; without them those that are usual
   */
  public static GatehouseNode.Configured configure(
      Path work, String key, int ldapPort, String storage, Optional<String> session) throws IOException {
    int port = FreePorts.take();
    Path metadata = work.resolve("sp.xml");
    Files.writeString(metadata, AuthnRequests.metadata());
    String realm =
        """
        keys: {algorithm: %s}
        idp:
          publicUrl: http://127.0.0.1:%d
          directLogin: true
        %s%spartners:
          - entityId: %s
            metadata: {file: %s}
            release: {uid: uid, mail: mail}
        """
            .formatted(
                key, port, session.map(keys -> "  session: {" + keys + "}\n").orElse(""),
                GatehouseNode.directory(ldapPort, "uid: uid, mail: mail"), AuthnRequests.SP, metadata);
    return GatehouseNode.configure(
        "gatehouse-" + key, work, "[idp]", GatehouseNode.listener("idp", port), storage, port, Map.of(REALM, realm));
  }

  /** A node that was started from {@link #configure}. */
  public static SignOnServer of(Build build, GatehouseNode node, String key, ServerProcess slapd) {
    return new SignOnServer(
        new Server(build.name(), List.of(node.process(), slapd)),
        key,
        new AuthnRequests(node.url() + "/realms/" + REALM + "/saml/sso"),
        browser -> browser.send(browser.post("/realms/" + REALM + "/login/direct", form(1))));
  }

  /** Keycloak with sessions in PostgreSQL and one person, with the same number of signatures. */
  static SignOnServer keycloak(Run run) throws IOException, InterruptedException {
    KeycloakServer keycloak = run.closeAtEnd(KeycloakServer.start(run.work(), REALM, keycloakRealm()));
    keycloak.await(REALM);
    AuthnRequests requests = new AuthnRequests(keycloak.url() + "/realms/" + REALM + "/protocol/saml");
    Login login =
        browser -> {
          Answer page = browser.send(browser.get(requests.next().target()));
          FilledForm form = FilledForm.of(page.body(), Map.of("username", "alice", "password", "demo"));
          String target = form.target().substring(keycloak.url().length());
          return browser.send(browser.post(target, form.body(), "Origin: " + keycloak.url()));
        };
    Server server = new Server("Keycloak", List.of(keycloak.process(), keycloak.database()));
    return new SignOnServer(server, "rsa-2048", requests, login);
  }

  private static String keycloakRealm() {
    String attribute =
        """
        {"name": "%1$s", "protocol": "saml", "protocolMapper": "saml-user-property-mapper",
         "config": {"user.attribute": "%2$s", "attribute.name": "%1$s", "attribute.nameformat": "Basic"}}""";
    return """
        {
          "realm": "%1$s", "enabled": true, "sslRequired": "none",
          "ssoSessionIdleTimeout": 36000, "ssoSessionMaxLifespan": 36000,
          "users": [{
            "username": "alice", "enabled": true, "email": "alice@example.com", "emailVerified": true,
            "firstName": "Alice", "lastName": "Example", "credentials": [{"type": "password", "value": "demo"}]}],
          "clients": [{
            "clientId": "%2$s", "protocol": "saml", "enabled": true, "redirectUris": ["%3$s"],
            "attributes": {
              "saml.client.signature": "false", "saml.server.signature": "false", "saml.assertion.signature": "true",
              "saml.signature.algorithm": "RSA_SHA256", "saml.force.post.binding": "true", "saml.authnstatement": "true",
              "saml_name_id_format": "transient", "saml_assertion_consumer_url_post": "%3$s"},
            "protocolMappers": [%4$s, %5$s]}]
        }
        """
        .formatted(
            REALM, AuthnRequests.SP, AuthnRequests.ACS, attribute.formatted("uid", "username"),
            attribute.formatted("mail", "email"));
  }

  /** Browsers in which a person is logged in, each of which requests Responses. */
  public Load load(int browsers) throws IOException {
    return ClosedLoad.open(server, key, browsers, users());
  }

  /** One logged-in browser after the other. */
  public ClosedLoad.UserFactory users() {
    return number -> new LoggedIn(Client.browser(URI.create(requests.origin())));
  }

  /** Browsers in which one person after the other logs in, each with a new session. */
  public ClosedLoad.UserFactory logins(int people) {
    return number -> new LogsIn(Client.browser(URI.create(requests.origin())), number, people);
  }

  private final class LogsIn implements ClosedLoad.User {
    private final Client browser;
    private final SplittableRandom random;
    private final int people;

    LogsIn(Client browser, int number, int people) {
      this.browser = browser;
      this.random = new SplittableRandom(15_485_863L * number + 5);
      this.people = people;
    }

    @Override
    public void reconnect() throws IOException {
      browser.reconnect();
    }

    @Override
    public int once() throws IOException {
      browser.forget();
      Answer answer = browser.send(browser.post("/realms/" + REALM + "/login/direct", form(1 + random.nextInt(people))));
      if (answer.status() != 200) {
        throw new IOException("login at " + server.name() + " failed: " + answer);
      }
      return 1;
    }

    @Override
    public void close() throws IOException {
      browser.close();
    }
  }

  private static String form(int person) {
    return "username=" + People.name(person) + "&password=" + People.password(person);
  }

  private final class LoggedIn implements ClosedLoad.User {
    private final Client browser;
    private int made;

    LoggedIn(Client browser) throws IOException {
      this.browser = browser;
      Answer answer = login.in(browser);
      if (answer.status() != 200) {
        throw new IOException("login at " + server.name() + " failed: " + answer);
      }
    }

    @Override
    public void reconnect() throws IOException {
      browser.reconnect();
    }

    @Override
    public int once() throws IOException {
      AuthnRequests.AuthnRequest request = requests.next();
      Answer answer = browser.send(browser.get(request.target()));
      if (made++ % CHECKED_ONE_IN == 0 || !ResponsePage.holdsResponse(answer)) {
        ResponsePage.check(answer, request.id());
      }
      return 1;
    }

    @Override
    public void close() throws IOException {
      browser.close();
    }
  }
}
