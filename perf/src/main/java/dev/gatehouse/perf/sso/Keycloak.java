package dev.gatehouse.perf.sso;

import dev.gatehouse.perf.load.Answer;
import dev.gatehouse.perf.load.Browser;
import dev.gatehouse.perf.server.KeycloakServer;
import dev.gatehouse.perf.server.PostgresServer;
import dev.gatehouse.perf.server.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keycloak with sessions in PostgreSQL, one realm, and one person. Its client accepts unsigned AuthnRequests, and only
 * Assertions are signed: one signature per Response with RSA-2048, as at Gatehouse.
 */
final class Keycloak implements SignOnServer {

  private static final String REALM = "bench";
  private static final Pattern FORM = Pattern.compile("action=\"([^\"]+)\"");

  private final KeycloakServer server;
  private final PostgresServer database;
  private final long started = System.nanoTime();

  private Keycloak(KeycloakServer server, PostgresServer database) {
    this.server = server;
    this.database = database;
  }

  static Keycloak start(Path directory, PostgresServer database) throws IOException {
    return new Keycloak(KeycloakServer.start(directory, REALM, realm(), database), database);
  }

  private static String realm() {
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
            REALM, FreshRequests.SP, FreshRequests.ACS, attribute("uid", "username"), attribute("mail", "email"));
  }

  private static String attribute(String name, String property) {
    return """
        {"name": "%1$s", "protocol": "saml", "protocolMapper": "saml-user-property-mapper",
         "config": {"user.attribute": "%2$s", "attribute.name": "%1$s", "attribute.nameformat": "Basic"}}"""
        .formatted(name, property);
  }

  @Override
  public String name() {
    return "Keycloak, rsa-2048";
  }

  @Override
  public long startedNanos() {
    return started;
  }

  @Override
  public void await() throws IOException, InterruptedException {
    server.await();
  }

  @Override
  public FreshRequests requests() {
    String path = "/realms/" + REALM + "/protocol/saml";
    return new FreshRequests(server.url() + path, path);
  }

  @Override
  public Browser login() throws IOException {
    Browser browser = new Browser(URI.create(server.url()));
    Matcher form = FORM.matcher(browser.get(requests().next().target()).body());
    if (!form.find()) {
      throw new IOException("Keycloak shows no login form");
    }
    String action = form.group(1).replace("&amp;", "&").substring(server.url().length());
    Answer answer = browser.post(action, "username=alice&password=demo&credentialId=", server.url());
    if (!ResponsePage.holdsResponse(answer)) {
      throw new IOException("login at Keycloak failed: " + answer);
    }
    return browser;
  }

  @Override
  public List<ServerProcess> processes() {
    return List.of(server.process(), database.process());
  }

  @Override
  public void close() {
    server.close();
  }
}
