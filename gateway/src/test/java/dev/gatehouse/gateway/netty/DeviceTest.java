package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent.DeviceDiffers;
import dev.gatehouse.common.device.BoundCookies;
import dev.gatehouse.common.device.DeviceBinding;
import dev.gatehouse.common.device.DeviceBinding.Kind;
import dev.gatehouse.common.device.DeviceBinding.State;
import dev.gatehouse.common.device.Fingerprint;
import dev.gatehouse.common.device.SessionDevice;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.SessionAssurance;
import dev.gatehouse.common.realm.SessionDemand;
import dev.gatehouse.common.realm.SignOnContract;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TestRoutes;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.gateway.netty.RawClient.Response;
import dev.gatehouse.sp.session.AppSession;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sessions at the device of their login and elsewhere; SECURITY-CASE 85. */
@Timeout(60)
class DeviceTest {

  private static final String LINUX = "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36";
  private static final String UPDATED = LINUX.replace("156", "157");
  private static final String WINDOWS = LINUX.replace("X11; Linux x86_64", "Windows NT 10.0; Win64; x64");
  private static final String PAGE = "Sec-Fetch-Mode: navigate";
  private static final String SCRIPT = "Sec-Fetch-Mode: cors";

  private static TestGateway gateway(RawApp app, SessionAssurance assurance) {
    URI upstream = URI.create("http://127.0.0.1:" + app.port());
    return TestGateway.of(
        TestRealms.change(TestRealms.demo())
            .spUrls("http://app.localhost")
            .routes(
                TestRoutes.withAssurance(TestRealms.route("app", "/", upstream, new Access.Protected()), assurance),
                TestRealms.route("other", "/other/", upstream, new Access.Protected()))
            .realm());
  }

  /** Opens a session at the device, whose token is in that state now. */
  private static String open(TestGateway gateway, State state) {
    String token = gateway.sessions().open("alice", List.of(), List.of());
    AppSession session = gateway.sessions().load("demo", token);
    Fingerprint login =
        Fingerprint.of(Headers.of("User-Agent", LINUX.substring("User-Agent: ".length())).and("Sec-Fetch-Mode", "navigate"), 0);
    gateway.sessions().open(
        session.on(
            new SessionDevice(Optional.of(login), List.of(new DeviceBinding(session.id(), gateway.time().instant(), state)))));
    return token;
  }

  private static Response ask(RawClient client, String token, String... lines) throws IOException {
    return askAt(client, "/page?a=1", token, lines);
  }

  private static Response askAt(RawClient client, String path, String token, String... lines) throws IOException {
    List<String> all = new ArrayList<>(List.of(lines));
    all.add("Cookie: gh_app=" + token);
    return client.get(path, all.toArray(String[]::new)).read();
  }

  private static void assertAtLogin(Response response) {
    assertThat(response.status()).isEqualTo(303);
    assertThat(response.fields()).contains("Location: /.gatehouse/login");
  }

  @Test
  void anotherKindOfBrowserLogsInAgainAndTheOwnersGoesOn() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("ok"));
        TestGateway gateway = gateway(app, SessionAssurance.ENFORCE);
        RawClient owner = gateway.connect();
        RawClient thief = gateway.connect()) {
      String token = open(gateway, new State.Keyless());
      assertThat(ask(owner, token, LINUX, PAGE).status()).isEqualTo(200);
      assertAtLogin(ask(thief, token, WINDOWS, PAGE));
      assertAtLogin(ask(thief, token, WINDOWS, PAGE));
      assertAtLogin(ask(thief, token));
      assertThat(ask(owner, token, UPDATED, PAGE).status()).isEqualTo(200);
      assertThat(ask(owner, token, LINUX, SCRIPT, "Accept-Language: de").status()).isEqualTo(200);
      assertThat(askAt(thief, "/other/", token, WINDOWS, PAGE).status()).as("a route without assurance").isEqualTo(200);
      assertThat(gateway.audit().events(DeviceDiffers.class)).singleElement()
          .satisfies(
              event -> {
                assertThat(event.reason()).isEqualTo("fingerprint_differs");
                assertThat(event.outcome()).isEqualTo("refused");
              });
      assertThat(
              gateway.meters().get("gatehouse.gateway.devices.different").tags("reason", "fingerprint_differs", "outcome", "refused")
                  .counter().count())
          .isEqualTo(3);
    }
  }

  /** A proxy's connection carries requests of many people: what one showed does not count for another. */
  @Test
  void aConnectionThatCarriedTheOwnersRequestsProvesNothing() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("ok"));
        TestGateway gateway = gateway(app, SessionAssurance.ENFORCE);
        RawClient client = gateway.connect()) {
      String alice = open(gateway, new State.Keyless());
      String bound = open(gateway, new State.Bound(Kind.DBSC, "{}", "key"));
      String cookie = "; gh_bound=" + gateway.boundCookies().issue("demo", new SessionToken(bound).id(), "key", gateway.time().instant());
      gateway.time().advance(Duration.ofMinutes(1));
      assertThat(ask(client, alice, LINUX, PAGE).status()).isEqualTo(200);
      assertAtLogin(ask(client, alice, WINDOWS, PAGE));
      assertThat(ask(client, bound + cookie, LINUX, PAGE).status()).isEqualTo(200);
      assertAtLogin(ask(client, bound, LINUX, PAGE));
      assertThat(ask(client, alice + cookie, LINUX, PAGE).status()).isEqualTo(200);
      assertAtLogin(ask(client, bound + "; gh_bound=1.x", LINUX, PAGE));
    }
  }

  @Test
  void observingCountsAndRecordsOnceAndRefusesNothing() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("ok"));
        TestGateway gateway = gateway(app, SessionAssurance.OBSERVE);
        RawClient thief = gateway.connect()) {
      String token = open(gateway, new State.Bound(Kind.DBSC, "{}", "key"));
      gateway.time().advance(Duration.ofMinutes(10));
      for (int i = 0; i < 5; i++) {
        assertThat(ask(thief, token, WINDOWS, PAGE).status()).isEqualTo(200);
        assertThat(ask(thief, token, LINUX, SCRIPT).status()).isEqualTo(200);
      }
      assertThat(gateway.audit().events(DeviceDiffers.class)).extracting(DeviceDiffers::reason)
          .containsExactly("fingerprint_differs", "key_not_proved");
      assertThat(gateway.audit().events(DeviceDiffers.class)).extracting(DeviceDiffers::outcome).containsOnly("observed");
    }
  }

  @Test
  void aCookieOfAProvedKeyCountsForFiveMinutesAndNotWithoutThatOfTheSession() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("ok"));
        TestGateway gateway = gateway(app, SessionAssurance.ENFORCE);
        RawClient client = gateway.connect()) {
      String token = open(gateway, new State.Bound(Kind.DBSC, "{}", "key"));
      assertThat(ask(client, token, LINUX, PAGE).status()).as("under way at the registration").isEqualTo(200);
      gateway.time().advance(Duration.ofSeconds(10));
      assertAtLogin(ask(client, token, LINUX, PAGE));

      String value = gateway.boundCookies().issue("demo", new SessionToken(token).id(), "key", gateway.time().instant());
      assertThat(ask(client, token + "; gh_bound=" + value, LINUX, PAGE).status()).isEqualTo(200);
      assertThat(app.received().getLast().head()).doesNotContain("gh_");
      gateway.time().advance(BoundCookies.LIFE.minusSeconds(1));
      assertThat(ask(client, token + "; gh_bound=" + value, LINUX, SCRIPT).status()).isEqualTo(200);
      gateway.time().advance(Duration.ofSeconds(1));
      assertAtLogin(ask(client, token + "; gh_bound=" + value, LINUX, PAGE));
      assertAtLogin(client.get("/page", LINUX, PAGE, "Cookie: gh_bound=" + value).read());
    }
  }

  /** Pages of apps carry no script of ours: the browser comes by a page of ours on its way to another page. */
  @Test
  void aBrowserThatRegistersNoKeyIsAskedForOneOnItsWayToAPage() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("ok"));
        TestGateway gateway = gateway(app, SessionAssurance.ENFORCE);
        RawClient client = gateway.connect()) {
      String token = open(gateway, new State.Unbound());
      assertThat(ask(client, token, LINUX, PAGE).status()).isEqualTo(200);

      gateway.time().advance(Duration.ofMinutes(1));
      assertThat(ask(client, token, LINUX, PAGE).fields()).contains("Location: /.gatehouse/device/proof?return=%2Fpage%3Fa%3D1");
      assertThat(ask(client, token, LINUX, SCRIPT).status()).isEqualTo(200);
      assertThat(ask(client, token, LINUX, PAGE, "Sec-Fetch-Dest: iframe").status()).isEqualTo(200);

      gateway.time().advance(Duration.ofMinutes(4));
      assertAtLogin(ask(client, token, LINUX, SCRIPT));
      assertThat(ask(client, token, LINUX, PAGE).fields()).contains("Location: /.gatehouse/device/proof?return=%2Fpage%3Fa%3D1");
    }
  }

  /** The cookie of a session that began by the form must not open routes that ask for passwords, and a password is a login of its own. */
  @Test
  void aCookieFromElsewhereOpensNoRouteOfBasicAndAPasswordDoes() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("ok"));
        TestGateway gateway = basicGateway(app, SessionAssurance.ENFORCE);
        RawClient owner = gateway.connect();
        RawClient thief = gateway.connect()) {
      String token = open(gateway, new State.Keyless());
      String bound = open(gateway, new State.Bound(Kind.DBSC, "{}", "key"));
      gateway.time().advance(Duration.ofMinutes(1));
      assertThat(ask(owner, token, LINUX, PAGE).status()).isEqualTo(200);
      assertThat(ask(thief, token, WINDOWS, PAGE).status()).isEqualTo(401);
      assertThat(ask(thief, bound, LINUX, SCRIPT).status()).isEqualTo(401);
      assertThat(ask(thief, bound, LINUX, PAGE).status()).isEqualTo(401);
      assertThat(gateway.audit().events(DeviceDiffers.class)).extracting(DeviceDiffers::reason)
          .containsExactlyInAnyOrder("fingerprint_differs", "key_not_proved");

      String password = "Authorization: Basic " + Base64.getEncoder().encodeToString("alice:demo".getBytes(StandardCharsets.UTF_8));
      Response page = thief.get("/page", WINDOWS, PAGE, password).read();
      assertThat(page.status()).isEqualTo(200);
      String own = page.field("Set-Cookie").orElseThrow().split("[=;]", 3)[1];
      assertThat(ask(thief, own, WINDOWS, PAGE).status()).as("a cookie alone that no browser is bound to").isEqualTo(401);
    }
  }

  @Test
  void aRouteOfBasicThatObservesRefusesNothing() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("ok"));
        TestGateway gateway = basicGateway(app, SessionAssurance.OBSERVE);
        RawClient thief = gateway.connect()) {
      String token = open(gateway, new State.Keyless());
      assertThat(ask(thief, token, WINDOWS, PAGE).status()).isEqualTo(200);
      assertThat(gateway.audit().events(DeviceDiffers.class)).extracting(DeviceDiffers::outcome).containsExactly("observed");
    }
  }

  private static TestGateway basicGateway(RawApp app, SessionAssurance assurance) {
    URI upstream = URI.create("http://127.0.0.1:" + app.port());
    return TestGateway.of(
        TestRealms.change(TestRealms.demo())
            .spUrls("http://app.localhost")
            .routes(
                TestRoutes.withAssurance(
                    TestRoutes.withSignOn(
                        TestRealms.route("app", "/", upstream, new Access.Protected()), new SignOnContract.Basic(Duration.ofMinutes(1)),
                        SessionDemand.NONE),
                    assurance))
            .realm());
  }

  @Test
  void aSessionFromBeforeIsAskedForAKey() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("ok"));
        TestGateway gateway = gateway(app, SessionAssurance.ENFORCE);
        RawClient client = gateway.connect()) {
      String token = gateway.sessions().open("alice", List.of(), List.of());
      assertThat(ask(client, token, LINUX, PAGE).fields()).contains("Location: /.gatehouse/device/proof?return=%2Fpage%3Fa%3D1");
      assertAtLogin(ask(client, token, LINUX, SCRIPT));
    }
  }
}
