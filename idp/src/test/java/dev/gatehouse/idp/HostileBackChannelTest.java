package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.audit.AuditEvent.LogoutPropagated;
import dev.gatehouse.common.backchannel.SoapCall;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.OutboundHttp;
import dev.gatehouse.common.logout.LogoutNotice;
import dev.gatehouse.common.logout.SoapLogout;
import dev.gatehouse.common.realm.PartnerConfig.Logout;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.CanonicalSamlWriter;
import dev.gatehouse.common.saml.message.Received;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutResponse;
import dev.gatehouse.common.saml.message.SamlStatus;
import dev.gatehouse.common.saml.message.StrictSamlReader;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Partners that hang, send slowly, lie or answer nonsense: the person gets a correct page in time, and there is no
 * lasting effect.
 */
@Timeout(60)
final class HostileBackChannelTest {

  /** The server's behaviour after it has read a request. */
  private interface Behaviour {
    void with(LogoutRequest request, OutputStream out) throws IOException, InterruptedException;
  }

  private final Idp idp = new Idp();
  private final TestBrowser browser = idp.browser();
  private final OutboundHttp http = new OutboundHttp(OutboundHttp.Limits.USUAL);
  private final ServerSocket server = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
  private final List<Socket> open = new CopyOnWriteArrayList<>();

  HostileBackChannelTest() throws IOException {}

  @BeforeEach
  void signIn() {
    idp.backChannel.deliverBy(
        new SoapLogout(
            SoapLogout.Side.IDP,
            idp.realms,
            idp.partners,
            idp.keys,
            new SoapCall(http, new StrictSamlReader(), new CanonicalSamlWriter()),
            idp.time,
            new SecureRandom()));
    String location = "http://sp.localhost:" + server.getLocalPort() + "/slo";
    idp.partners.withLogout(Idp.APP, Logout.SOAP, new Endpoint(Binding.SOAP, location, Optional.empty()));
    browser.login(browser.get("/realms/demo/login"), "alice", "demo");
    Idp.response(browser.get(Idp.redirect(idp.authnRequest(Idp.APP))));
  }

  @AfterEach
  void close() throws IOException {
    server.close();
    for (Socket socket : open) {
      socket.close();
    }
    http.close();
    idp.context.close();
  }

  private void behaves(Behaviour behaviour) {
    Thread.ofVirtual()
        .start(
            () -> {
              while (!server.isClosed()) {
                try {
                  Socket socket = server.accept();
                  open.add(socket);
                  Thread.ofVirtual().start(() -> serve(socket, behaviour));
                } catch (IOException e) {
                  return;
                }
              }
            });
  }

  private static void serve(Socket socket, Behaviour behaviour) {
    try {
      behaviour.with(read(socket.getInputStream()), socket.getOutputStream());
    } catch (IOException e) {
      // The other side has closed the connection: the test sees the reason.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static LogoutRequest read(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (!head.toString().endsWith("\r\n\r\n")) {
      head.append((char) in.read());
    }
    String length = head.toString().replaceAll("(?is).*content-length: (\\d+).*", "$1");
    byte[] envelope = in.readNBytes(Integer.parseInt(length));
    return switch (new StrictSamlReader()
        .logoutRequest(SamlFixtures.soap("http://sp.localhost/slo", envelope), SamlFixtures.partners(Idp.ownMetadata()))) {
      case Result.Accepted(var received) -> received.message();
      case Result.Refused(var refusal) -> throw new AssertionError(refusal.toString());
    };
  }

  private static void answer(OutputStream out, byte[] body) throws IOException {
    out.write(
        ("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/xml\r\nContent-Length: " + body.length + "\r\n\r\n")
            .getBytes(StandardCharsets.ISO_8859_1));
    out.write(body);
    out.flush();
  }

  private byte[] response(String inResponseTo, SamlStatus status, SigningKey key) {
    return new CanonicalSamlWriter()
        .soap(
            new LogoutResponse(
                "_answer", idp.time.instant(), Idp.APP, Optional.empty(), Optional.of(inResponseTo), status),
            key);
  }

  /** Logs out; the page arrives in time. */
  private EdgeReply logOut() {
    String csrf = TestBrowser.field(browser.get("/realms/demo/logout").text(), "csrf");
    long begin = System.nanoTime();
    EdgeReply receipt = browser.follow(browser.post("/realms/demo/logout", Map.of("csrf", csrf)));
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(3));
    return receipt;
  }

  private LogoutNotice waiting() {
    Eventually.holds(() -> !idp.audit.events(LogoutPropagated.class).isEmpty());
    assertThat(idp.audit.events(LogoutPropagated.class))
        .extracting(LogoutPropagated::outcome)
        .containsExactly("unreachable");
    assertThat(idp.waitingLogouts().count("demo")).isEqualTo(1);
    return idp.backChannel.sent.getFirst();
  }

  private String problem() {
    waiting();
    // The result is recorded in the audit log first and stored afterwards.
    Eventually.holds(() -> kept().isPresent());
    return kept().orElseThrow();
  }

  private Optional<String> kept() {
    return idp.waitingLogouts().page("demo", "", 1).stream().findFirst().flatMap(AdminResource.LogoutView::problem);
  }

  private void isNamedAtOnce() {
    assertThat(logOut().text())
        .contains("not signed out everywhere", "The app", "not reachable, will be notified again")
        .doesNotContain("localhost:" + server.getLocalPort());
  }

  @Test
  void oneThatAnswersIsDone() {
    behaves((request, out) -> answer(out, response(request.id(), SamlStatus.success(), SamlFixtures.spKey())));
    assertThat(logOut().text()).contains("every app that you used has confirmed it");
  }

  @Test
  void oneThatAcceptsAndNeverAnswers() {
    behaves((request, out) -> Thread.sleep(Duration.ofMinutes(1)));
    // After a second the page shows the notification in progress; the person does not wait for it.
    assertThat(logOut().text()).contains("Signing you out");
    assertThat(problem()).isEqualTo("no complete answer within 5000 ms, waiting for the response");
  }

  @Test
  void oneThatDripsBytes() {
    behaves(
        (request, out) -> {
          out.write("HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 5000\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
          for (int i = 0; i < 1000; i++) {
            out.write(' ');
            out.flush();
            Thread.sleep(50);
          }
        });
    assertThat(logOut().text()).contains("Signing you out");
    assertThat(problem()).isEqualTo("no complete answer within 5000 ms, waiting for the response");
  }

  @Test
  void oneThatTalksNonsense() {
    behaves((request, out) -> out.write("SSH-2.0-OpenSSH_9.2\r\n".getBytes(StandardCharsets.ISO_8859_1)));
    isNamedAtOnce();
    assertThat(problem()).contains("Invalid protocol version");
  }

  @Test
  void oneWithAHugeBody() {
    behaves(
        (request, out) -> {
          out.write("HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
          byte[] spaces = " ".repeat(1 << 16).getBytes(StandardCharsets.ISO_8859_1);
          while (true) {
            out.write(spaces);
          }
        });
    isNamedAtOnce();
    assertThat(problem()).contains("exceeds");
  }

  @Test
  void oneWhoseAnswerAStrangerSigned() {
    behaves((request, out) -> answer(out, response(request.id(), SamlStatus.success(), SamlFixtures.strangerKey())));
    isNamedAtOnce();
    assertThat(problem()).contains("SIGNATURE_INVALID");
  }

  @Test
  void oneThatAnswersAnotherRequest() {
    behaves((request, out) -> answer(out, response("_another", SamlStatus.success(), SamlFixtures.spKey())));
    isNamedAtOnce();
    assertThat(problem()).contains("IN_RESPONSE_TO");
  }

  @Test
  void oneThatSendsOurRequestBack() {
    behaves(
        (request, out) -> answer(out, new CanonicalSamlWriter().soap(request, SamlFixtures.idpKey())));
    isNamedAtOnce();
    assertThat(problem()).contains("UNEXPECTED_MESSAGE");
  }

  @Test
  void eachTryIsANewRequest() {
    List<LogoutRequest> seen = new CopyOnWriteArrayList<>();
    behaves(
        (request, out) -> {
          seen.add(request);
          answer(out, response("_another", SamlStatus.success(), SamlFixtures.spKey()));
        });
    isNamedAtOnce();
    waiting();
    idp.time.advance(Duration.ofSeconds(10));
    idp.tend();
    assertThat(seen).hasSize(2).extracting(LogoutRequest::id).doesNotHaveDuplicates();
    assertThat(seen.getLast().issueInstant()).isEqualTo(idp.time.instant());
    assertThat(seen).extracting(LogoutRequest::reason).containsOnly(Optional.of("urn:oasis:names:tc:SAML:2.0:logout:user"));
  }
}
