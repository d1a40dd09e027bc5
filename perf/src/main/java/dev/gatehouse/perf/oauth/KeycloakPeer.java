package dev.gatehouse.perf.oauth;

import dev.gatehouse.perf.server.KeycloakServer;
import dev.gatehouse.perf.server.PostgresServer;
import dev.gatehouse.perf.server.ServerProcess;
import dev.gatehouse.perf.server.SlapdServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/** Keycloak with sessions in PostgreSQL, and people in the same slapd. */
final class KeycloakPeer implements AuthorizationServer {

  private final KeycloakServer server;
  private final PostgresServer database;
  private final SlapdServer slapd;

  private KeycloakPeer(KeycloakServer server, PostgresServer database, SlapdServer slapd) {
    this.server = server;
    this.database = database;
    this.slapd = slapd;
  }

  static KeycloakPeer start(Path directory, PostgresServer database, SlapdServer slapd) throws IOException {
    String realm = KeycloakRealm.json(slapd.port());
    return new KeycloakPeer(KeycloakServer.start(directory, KeycloakRealm.NAME, realm, database), database, slapd);
  }

  @Override
  public String name() {
    return "Keycloak";
  }

  @Override
  public URI url() {
    return URI.create(server.url());
  }

  @Override
  public Endpoints endpoints() {
    String protocol = "/realms/" + KeycloakRealm.NAME + "/protocol/openid-connect/";
    return new Endpoints(
        protocol + "auth",
        protocol + "token",
        protocol + "token/introspect",
        protocol + "userinfo",
        "",
        protocol + "ext/par/request");
  }

  @Override
  public void await() throws IOException, InterruptedException {
    server.await();
  }

  @Override
  public List<ServerProcess> processes() {
    return List.of(server.process(), database.process(), slapd.process());
  }

  @Override
  public void close() {
    server.close();
  }
}
