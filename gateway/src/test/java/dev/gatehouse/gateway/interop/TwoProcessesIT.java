package dev.gatehouse.gateway.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.AriaRole;
import dev.gatehouse.common.FreePorts;
import dev.gatehouse.gateway.browser.Chromium;
import dev.gatehouse.gateway.browser.Person;
import dev.gatehouse.gateway.browser.WithChromium;
import dev.gatehouse.gateway.demo.DemoDirectory;
import dev.gatehouse.gateway.demo.SampleApp;
import dev.gatehouse.gateway.process.BuiltNode;
import dev.gatehouse.gateway.process.ServerProcess;
import dev.gatehouse.gateway.process.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Our identity provider in one process and our service provider in another, which share nothing: artifacts both ways, logout
 * and ManageNameID over SOAP, persistent names linked to the service provider's own people.
 */
@Tag("long")
@ExtendWith(WithChromium.class)
class TwoProcessesIT {

  private static final List<Integer> PORTS = FreePorts.take(3);
  @AutoClose private static final Servers SERVERS = new Servers();
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Chromium chromium;

  TwoProcessesIT(Chromium chromium) {
    this.chromium = chromium;
  }

  @BeforeAll
  static void start(@TempDir Path data) throws IOException {
    DemoDirectory directory = SERVERS.begun(DemoDirectory.start(0));
    SampleApp sample = SERVERS.begun(SampleApp.start(0));
    ServerProcess idp = node("idp", data, PORTS.get(1), directory, sample);
    ServerProcess sp = node("sp", data, PORTS.get(2), directory, sample);
    sp.await(() -> sp.output().contains("in realm workshop taken over"), PATIENCE);
    idp.await(() -> idp.output().contains("in realm office taken over"), PATIENCE);
  }

  private static ServerProcess node(String name, Path data, int admin, DemoDirectory directory, SampleApp sample)
      throws IOException {
    Path logs = Files.createDirectories(Path.of("target/two").resolve(name));
    Map<String, String> environment =
        Map.of(
            "DATA", data.resolve(name).toString(),
            "PORT", String.valueOf(PORTS.getFirst()),
            "ADMIN_PORT", String.valueOf(admin),
            "DIRECTORY_PORT", String.valueOf(directory.port()),
            "SAMPLE_PORT", String.valueOf(sample.port()));
    return SERVERS.begun(BuiltNode.run(Path.of("src/test/resources/two").resolve(name), logs, environment));
  }

  @Test
  void requestAndResponseTravelAsArtifacts() {
    try (Person person = new Person(chromium.profile())) {
      List<String> requests = requests(person);
      logIn(person, "alice");
      assertThat(requests)
          .anyMatch(url -> url.startsWith(idp("/saml/sso")) && url.contains("SAMLart="))
          .anyMatch(url -> url.startsWith(app("/.gatehouse/saml/acs")) && url.contains("SAMLart="))
          .noneMatch(url -> url.contains("SAMLRequest=") || url.contains("SAMLResponse="));
    }
  }

  @Test
  void aLogoutAtTheAppEndsTheSessionAtTheIdentityProviderBehindTheBrowsersBack() {
    try (Person person = new Person(chromium.profile())) {
      logIn(person, "alice");
      List<String> requests = requests(person);
      person.press("Log out");
      person.sees("You are signed out");
      assertThat(requests).noneMatch(url -> url.startsWith(idp("/saml/slo")));
      person.open(idp("/account"));
      person.sees("Sign in");
    }
  }

  @Test
  void aLogoutAtTheIdentityProviderEndsTheSessionAtTheAppBehindTheBrowsersBack() {
    try (Person person = new Person(chromium.profile())) {
      logIn(person, "bob");
      List<String> requests = requests(person);
      person.open(idp("/logout"));
      person.press("Sign out");
      person.sees("You are signed out");
      assertThat(requests).noneMatch(url -> url.startsWith(app("/.gatehouse/saml/slo")));
      person.open(app("/"));
      person.sees("Sign in");
    }
  }

  @Test
  void aPersonWhoDisconnectsTheAppIsForgottenThere() {
    try (Person person = new Person(chromium.profile())) {
      logIn(person, "bob");
      person.open(idp("/account"));
      person.follow("Connected apps");
      person.page().locator("button[name=action][value=end]").click();
      assertThat(person.page().getByRole(AriaRole.STATUS).textContent())
          .contains("it has been notified");
      person.open(app("/"));
      // A new name, and a new link by the address: the same person there.
      person.sees("Hello, bob");
    }
  }

  private static void logIn(Person person, String name) {
    person.open(app("/"));
    person.signIn(name, "demo");
    person.isAt(app("/"));
    person.sees("Hello, " + name);
  }

  private static List<String> requests(Person person) {
    List<String> urls = new CopyOnWriteArrayList<>();
    person.page().onRequest(request -> urls.add(request.url()));
    return urls;
  }

  private static String idp(String path) {
    return "http://127.0.0.22:" + PORTS.getFirst() + "/realms/office" + path;
  }

  private static String app(String path) {
    return "http://127.0.0.23:" + PORTS.getFirst() + path;
  }
}
