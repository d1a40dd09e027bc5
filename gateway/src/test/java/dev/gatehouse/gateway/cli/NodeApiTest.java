package dev.gatehouse.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.gatehouse.common.FreePorts;
import dev.gatehouse.common.key.PeopleCa;
import dev.gatehouse.common.key.PeopleCa.CertificateSpec;
import dev.gatehouse.common.key.PeopleCa.Issued;
import dev.gatehouse.gateway.cli.ScriptedNode.Request;
import dev.gatehouse.gateway.federate.PinnedCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a command learns of its call: the answer, or in sentences why there is none. */
@Timeout(60)
class NodeApiTest {

  private static final char[] PASSWORD = "password".toCharArray();

  private record Person(String name, Optional<Integer> number) {}

  private final ScriptedNode node = new ScriptedNode();

  NodeApiTest() throws IOException {}

  @AfterEach
  void stop() {
    node.close();
  }

  private static NodeCallFailed failed(NodeApi api, NodeCall call) {
    return catchThrowableOfType(NodeCallFailed.class, () -> api.call(call, Person.class));
  }

  private NodeCallFailed failed() {
    return failed(node.api(), NodeCall.post("/x"));
  }

  @Test
  void anAnswerIsReadAndTheRequestIsWhatTheCallSays() {
    node.answers(200, "{\"name\":\"alice\",\"more\":[]}");
    NodeCall call = NodeCall.put("/admin/v1/" + NodeCall.encoded("a b/..") + "?x=1", Map.of("role", "viewer")).forRevision(7);
    assertThat(node.api().call(call, Person.class)).isEqualTo(new Person("alice", Optional.empty()));
    assertThat(node.requests())
        .containsExactly(
            new Request("PUT", "/admin/v1/a%20b%2F..?x=1", Optional.of("Bearer gha_key"), Optional.of("\"7\""), "{\"role\":\"viewer\"}"));
    assertThat(NodeCall.encoded("..")).isEqualTo("%2E%2E");
    assertThat(NodeCall.put("/x", Map.of("password", "hunter22"))).asString().isEqualTo("NodeCall[PUT /x]");
  }

  @Test
  void ofACallWithoutAResultTheStatusAndWhoAnswersCount() {
    node.answers(204, "").answers(404, "{\"title\":\"Not Found\",\"detail\":\"There is no realm x.\"}");
    node.api().call(NodeCall.delete("/x"));
    assertThat(node.requests()).containsExactly(new Request("DELETE", "/x", Optional.of("Bearer gha_key"), Optional.empty(), ""));
    assertThat(failedToDelete()).hasMessage("The node refuses: There is no realm x.");
    node.strangerAnswers(204, "").strangerAnswers(200, "<html>no</html>").answers(200, "<html>no</html>");
    for (int status : new int[] {204, 200, 200}) {
      NodeCallFailed foreign = failedToDelete();
      assertThat(foreign).hasMessage(node.address() + " does not answer as a node of Gatehouse does (status " + status + ").");
      assertThat(foreign.isUncertain()).isTrue();
    }
  }

  private NodeCallFailed failedToDelete() {
    return catchThrowableOfType(NodeCallFailed.class, () -> node.api().call(NodeCall.delete("/x")));
  }

  @Test
  void aResultThatIsNotTheNodesIsSaidAlsoIfItLooksLikeOne() {
    node.strangerAnswers(200, "{\"name\":\"alice\"}");
    NodeCallFailed foreign = failed();
    assertThat(foreign).hasMessage(node.address() + " does not answer as a node of Gatehouse does (status 200).");
    assertThat(foreign.isUncertain()).isTrue();
  }

  @Test
  void aFurtherStatusCanBeAResult() {
    node.answers(422, "{\"name\":\"alice\"}").answers(422, "{\"name\":\"alice\",\"detail\":\"Nothing was changed\"}");
    assertThat(node.api().call(NodeCall.get("/x").orStatus(422), Person.class).name()).isEqualTo("alice");
    assertThat(failed()).hasMessage("The node refuses: Nothing was changed.");
  }

  @Test
  void aProblemSaysWhy() {
    node.answers(403, "{\"title\":\"Forbidden\",\"status\":403,\"detail\":\"This administrator key is not known here.\"}")
        .answers(403, "{\"title\":\"Forbidden\"}")
        .answers(404, "{\"error\":\"none\"}");
    NodeCallFailed refused = failed();
    assertThat(refused).hasMessage("The node refuses: This administrator key is not known here.");
    assertThat(refused.isOutage()).isFalse();
    assertThat(refused.isUncertain()).isFalse();
    assertThat(failed()).hasMessage("The node refuses (403 Forbidden).");
    assertThat(failed()).hasMessage("The node refuses (404).");
  }

  @Test
  void aFaultOfTheNodeIsNoRefusal() {
    node.answers(503, "{\"title\":\"Service Unavailable\",\"detail\":\"Nothing was changed.\",\"reference\":\"r-1\"}")
        .answers(503, "{\"title\":\"Service Unavailable\"}");
    NodeCallFailed fault = failed();
    assertThat(fault).hasMessage("Nothing was changed. The log of the node has more, under reference r-1.");
    assertThat(fault.isOutage()).isTrue();
    assertThat(fault.isUncertain()).isFalse();
    assertThat(failed()).hasMessage("The node answers with status 503 Service Unavailable.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"<html>no</html>", "", "null", "[]", "\"text\"", "{\"number\":1}"})
  void anAnswerThatIsNotOursIsSaid(String body) {
    node.answers(200, body);
    NodeCallFailed foreign = failed();
    assertThat(foreign).hasMessage(node.address() + " does not answer as a node of Gatehouse does (status 200).");
    assertThat(foreign.isOutage()).isFalse();
    assertThat(foreign.isUncertain()).as("the node may have answered before somebody replaced its answer").isTrue();
  }

  @Test
  void anErrorWithoutJsonIsSaidWithItsStatus() {
    node.answers(404, "<html>no</html>").answers(502, "");
    NodeCallFailed refused = failed();
    assertThat(refused).hasMessage(node.address() + " does not answer as a node of Gatehouse does (status 404).");
    assertThat(refused.isUncertain()).isFalse();
    NodeCallFailed proxy = failed();
    assertThat(proxy).hasMessageContaining("(status 502)");
    assertThat(proxy.isOutage()).isTrue();
    assertThat(proxy.isUncertain()).isTrue();
  }

  @Test
  void whereNobodyListensNothingIsDone() {
    URI address = URI.create("http://127.0.0.1:" + FreePorts.one());
    try (HttpClient http = HttpClient.newHttpClient()) {
      NodeCallFailed unreached = failed(new NodeApi(address, http, ScriptedNode.KEY, () -> {}), NodeCall.post("/x"));
      assertThat(unreached).hasMessage("No node answers at " + address + ": start it.");
      assertThat(unreached.isOutage()).isTrue();
      assertThat(unreached.isUncertain()).isFalse();
    }
  }

  @Test
  void aNodeThatKeepsSilentMayHaveDoneIt() {
    node.keepsSilent();
    NodeCallFailed silent = failed(node.api(), NodeCall.post("/x").within(Duration.ofSeconds(1)));
    assertThat(silent).hasMessage("The node at " + node.address() + " has not answered within 1 s.");
    assertThat(silent.isOutage()).isTrue();
    assertThat(silent.isUncertain()).isTrue();
  }

  @Test
  void aConnectionThatBreaksIsSaid() {
    node.breaks();
    NodeCallFailed broken = failed();
    assertThat(broken).hasMessageStartingWith("The node at " + node.address() + " gives no answer: ").hasMessageEndingWith(".");
    assertThat(broken).hasMessageNotContaining("null");
    assertThat(broken.isUncertain()).isTrue();
  }

  @Test
  void anotherCertificateIsSaid() throws Exception {
    PeopleCa ca = PeopleCa.create("CN=Private CA", Instant.now());
    Issued issued = ca.issue(CertificateSpec.of("CN=node", PeopleCa.host("node.internal")).purpose(KeyPurposeId.id_kp_serverAuth));
    HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context(issued)));
    server.start();
    URI address = URI.create("https://127.0.0.1:" + server.getAddress().getPort());
    try (HttpClient http = HttpClient.newBuilder().sslContext(PinnedCertificate.trusting(ca.certificate())).build()) {
      NodeCallFailed other = failed(new NodeApi(address, http, ScriptedNode.KEY, () -> {}), NodeCall.post("/x"));
      assertThat(other)
          .hasMessageStartingWith("There is no TLS connection to the node at " + address + ": ")
          .hasMessageContaining("not the certificate that listeners.admin names");
      assertThat(other.isUncertain()).isFalse();
    } finally {
      server.stop(0);
    }
  }

  private static SSLContext context(Issued issued) throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    keys.setKeyEntry("node", issued.privateKey(), PASSWORD, new Certificate[] {issued.certificate()});
    KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, new SecureRandom());
    return context;
  }
}
