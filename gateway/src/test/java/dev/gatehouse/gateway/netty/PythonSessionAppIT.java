package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.realm.FormFillConfig;
import dev.gatehouse.common.realm.FormFillConfig.Failure;
import dev.gatehouse.common.realm.FormFillConfig.FormRule;
import dev.gatehouse.common.realm.FormFillConfig.Source;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TestRoutes;
import dev.gatehouse.gateway.netty.RawClient.Response;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A real session-login app (Python's standard library) behind the gateway, which fills its form. */
class PythonSessionAppIT {

  private static final FormFillConfig FILL =
      new FormFillConfig(
          "tickets",
          new FormRule("/tickets/login", Set.of(200), Optional.empty(), Optional.empty(), Optional.empty(), List.of()),
          Map.of("username", new Source.Stored("user"), "password", new Source.Stored("password")),
          Optional.empty(), Failure.NONE, Optional.empty(), 20);

  private Optional<Process> app = Optional.empty();
  private int port;

  @BeforeEach
  void start() throws IOException {
    Process started =
        new ProcessBuilder("python3", Path.of("src/test/resources/python-session-app.py").toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    app = Optional.of(started);
    BufferedReader out = new BufferedReader(new InputStreamReader(started.getInputStream(), StandardCharsets.US_ASCII));
    port = Integer.parseInt(java.util.Objects.requireNonNull(out.readLine()));
  }

  @AfterEach
  void stop() {
    app.ifPresent(Process::destroy);
  }

  private TestGateway gateway() {
    URI upstream = URI.create("http://127.0.0.1:" + port);
    return TestGateway.of(
        TestRealms.change(TestRealms.demo())
            .spUrls("http://app.localhost", "https://app.localhost")
            .routes(TestRoutes.withFormFill(TestRealms.route("tickets", "/tickets/", upstream, new Access.Protected()), FILL))
            .realm());
  }

  private static void store(TestGateway gateway, String password) {
    gateway
        .secrets()
        .put(
            new AuditEvent.Context("demo", "-", Optional.empty()), new PersonId("idp!carol"), "tickets",
            Map.of("user", "carol", "password", password));
  }

  @Test
  void aPersonIsLoggedInThroughItsFormWithItsTokenAndKeepsItsSession() throws IOException {
    try (TestGateway gateway = gateway(); RawClient client = gateway.connect()) {
      String cookie = "Cookie: gh_app=" + gateway.sessions().open("carol", List.of(), List.of());
      store(gateway, "pässword & more");
      Response first = client.get("/tickets/", "Accept: text/html", cookie).read();
      assertThat(first.field("Location")).contains("/tickets/login?next=/tickets/");
      Response filled = client.get("/tickets/login?next=/tickets/", "Accept: text/html", cookie).read();
      assertThat(filled.status()).as(filled.body()).isEqualTo(302);
      String session = filled.field("Set-Cookie").orElseThrow().split(";")[0];
      Response tickets = client.get("/tickets/", "Accept: text/html", cookie + "; " + session).read();
      assertThat(tickets.body()).isEqualTo("<h1>Tickets of carol</h1>");
    }
  }

  @Test
  void aWrongPasswordLeadsToThePageThatCorrectsIt() throws IOException {
    try (TestGateway gateway = gateway(); RawClient client = gateway.connect()) {
      String cookie = "Cookie: gh_app=" + gateway.sessions().open("carol", List.of(), List.of());
      store(gateway, "wrong");
      Response refused = client.get("/tickets/login", "Accept: text/html", cookie).read();
      assertThat(refused.status()).isEqualTo(303);
      assertThat(refused.field("Location"))
          .contains("/.gatehouse/secrets?app=tickets&why=wrong&back=%2Ftickets%2Flogin");
    }
  }
}
