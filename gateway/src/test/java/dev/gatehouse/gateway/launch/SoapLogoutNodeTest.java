package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.FreePorts;
import dev.gatehouse.common.admin.AdminResource.SessionView;
import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.gateway.demo.DemoCertificate;
import dev.gatehouse.gateway.demo.DemoConfiguration;
import dev.gatehouse.gateway.demo.DemoDirectory;
import dev.gatehouse.gateway.demo.DemoPorts;
import dev.gatehouse.gateway.demo.DemoWarmUp;
import dev.gatehouse.gateway.demo.SampleApp;
import dev.gatehouse.gateway.launch.PlainBrowser.Shown;
import dev.gatehouse.gateway.tracing.Collector.Span;
import dev.gatehouse.gateway.tracing.Collector;
import dev.gatehouse.idp.admin.IdpSessionsResource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole node whose idp and sp prefer to tell each other by SOAP, over its own listeners, and the spans of that. */
@Timeout(120)
class SoapLogoutNodeTest {

  private final PlainBrowser browser = new PlainBrowser();
  private final DemoPorts ports = ports(FreePorts.take(8));
  private final DemoDirectory directory = DemoDirectory.start(ports.directory());
  private final SampleApp app = SampleApp.start(ports.app());
  private final Collector collector = new Collector();
  private final RunningNode node;

  SoapLogoutNodeTest(@TempDir Path folder) throws IOException {
    new DemoConfiguration(folder.resolve("config")).write(ports);
    Path realm = folder.resolve("config/realms/demo.yaml");
    Files.writeString(
        realm,
        Files.readString(realm).replaceAll("(?m)^    displayName: (Sample app|Demo login)$", "$0\n    logout: soap"));
    Files.writeString(
        folder.resolve("config/gatehouse.yaml"), "\ntracing: {endpoint: '" + collector.endpoint() + "', sample: 100%}\n", StandardOpenOption.APPEND);
    DemoCertificate.ensure(folder.resolve("data/tls"), Instant.now(), new SecureRandom());
    node = RunningNode.start(folder.resolve("config"), Map.of());
  }

  private static DemoPorts ports(List<Integer> free) {
    return new DemoPorts(
        free.get(0), free.get(1), free.get(2), free.get(3), free.get(4), free.get(5), free.get(6), free.get(7));
  }

  @BeforeEach
  void logIn() throws IOException, InterruptedException {
    DemoWarmUp.await(ports);
    Shown login = browser.open(app("/whoami"));
    Shown handOver = browser.submit(login, browser.form(login).with("username", "alice").with("password", "demo"));
    assertThat(browser.submit(handOver, browser.form(handOver)).url()).hasToString(app("/whoami"));
    assertThat(browser.fetch(app("/whoami"))).isEqualTo(200);
  }

  @AfterEach
  void close() throws Exception {
    browser.close();
    node.close();
    app.close();
    directory.close();
    collector.close();
  }

  private String app(String path) {
    return "http://app.localhost:" + ports.appHttp() + path;
  }

  private String idp(String path) {
    return "http://idp.localhost:" + ports.idpHttp() + "/realms/demo" + path;
  }

  private List<SessionView> sessionsAtTheIdp() {
    return node.get(IdpSessionsResource.class).ofPerson("demo", "alice");
  }

  @Test
  void aLogoutAtTheAppEndsTheSessionAtTheIdentityProvider() throws IOException, InterruptedException {
    Shown receipt = browser.open(app("/.gatehouse/logout"));
    assertThat(receipt.url()).as("the browser went nowhere").hasToString(app("/.gatehouse/logout"));
    assertThat(receipt.body()).contains("You are signed out");
    assertThat(sessionsAtTheIdp()).isEmpty();
    assertThat(browser.fetch(app("/whoami"))).isEqualTo(401);
    for (String message : List.of("AuthnRequest", "Response", "LogoutRequest", "LogoutResponse")) {
      // A reading before the partner's metadata were read, of the warm-up, verifies nothing.
      collector.await(span -> span.name().equals("saml verify") && isBelowReading(span, message));
    }
    Span call = await("saml soap call", "LogoutRequest");
    assertThat(call.kind()).as("client").isEqualTo(3);
    assertThat(call.attributes()).containsEntry("server.address", "idp.localhost");
    assertThat(below(call).trace()).as("the answer is read in the call").isEqualTo(call.trace());
    assertThat(collector.await(span -> span.name().equals("saml sign")).parent()).isNotEmpty();
    assertThat(collector.received()).doesNotContain("alice", "dc=example", "SAMLResponse");
  }

  private Span await(String name, String message) {
    return collector.await(span -> span.name().equals(name) && hasMessage(span, message));
  }

  private boolean isBelowReading(Span verify, String message) {
    return collector.spans().stream()
        .anyMatch(span -> span.id().equals(verify.parent()) && span.name().equals("saml read") && hasMessage(span, message));
  }

  private static boolean hasMessage(Span span, String message) {
    return message.equals(span.attributes().get("gatehouse.saml.message"));
  }

  private Span below(Span parent) {
    return collector.await(span -> span.parent().equals(parent.id()));
  }

  @Test
  void aLogoutAtTheIdentityProviderEndsTheSessionAtTheApp() throws IOException, InterruptedException {
    Shown question = browser.open(idp("/logout"));
    Shown receipt = browser.submit(question, browser.form(question));
    assertThat(receipt.body()).contains("every app that you used has confirmed it").doesNotContain("<iframe");
    assertThat(browser.fetch(app("/whoami"))).isEqualTo(401);
  }

  @Test
  void anAdministratorEndsTheSessionAtTheAppToo() throws IOException, InterruptedException {
    AdminResource.Sessions sessions = node.get(IdpSessionsResource.class);
    assertThat(sessions.end("demo", sessionsAtTheIdp().getFirst().id(), "root")).isTrue();
    Eventually.holds(() -> browser.fetch(app("/whoami")) != 200);
    assertThat(browser.fetch(app("/whoami"))).isEqualTo(401);
    // The app ends its session before its answer ends the notice.
    Eventually.holds(() -> node.get("idpWaitingLogouts", AdminResource.Logouts.class).count("demo") == 0);
  }
}
