package dev.gatehouse.gateway.admin.partner;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.http.OutboundHttp;
import dev.gatehouse.common.http.PublicHttp;
import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.PartnerConfig.MetadataSource;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.registry.EndpointRule;
import dev.gatehouse.common.registry.Partner;
import dev.gatehouse.common.registry.Partner.MetadataState;
import dev.gatehouse.common.saml.metadata.CanonicalMetadataCodec;
import dev.gatehouse.gateway.admin.partner.PartnerTestView.CheckView;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A partner is tested at a server of the test. */
@Timeout(60)
class PartnerTestsTest {

  private final TestTime time = new TestTime();
  private final List<String> called = new CopyOnWriteArrayList<>();
  private String document = "";
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          called.add(exchange.getRequestURI().toString());
          byte[] body = document.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    document = PartnerMetadataFixture.idp();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private String origin() {
    return "http://localhost:" + server.getAddress().getPort();
  }

  /** @param isAllowed whether addresses of this machine may be called for endpoints */
  private PartnerTestView test(boolean isAllowed) {
    return test(isAllowed, url -> Optional.empty());
  }

  private PartnerTestView test(boolean isAllowed, Destinations permitted) {
    PartnerConfig known = TestRealms.demo().parties().partners().getFirst();
    MetadataSource source = new MetadataSource.Url(URI.create(origin() + "/metadata"), Optional.empty(), Duration.ofHours(1));
    PartnerConfig config =
        new PartnerConfig(
            PartnerMetadataFixture.ENTITY, Optional.empty(), source, known.release(), known.nameId(), known.logout(),
            known.asServiceProvider(), known.asIdentityProvider(), false);
    try (OutboundHttp metadata = new OutboundHttp(OutboundHttp.Limits.USUAL);
        PublicHttp http = PublicHttp.of(address -> isAllowed)) {
      return new PartnerTests(new CanonicalMetadataCodec(), metadata, http, time)
          .test(new Partner(config, new MetadataState.Unusable("not read yet")), EndpointRule.of(TestRealms.demo(), config), permitted);
    }
  }

  private static List<String> verdicts(PartnerTestView view, String check) {
    List<String> found = new ArrayList<>();
    view.checks().stream().filter(one -> one.check().equals(check)).map(CheckView::verdict).forEach(found::add);
    return found;
  }

  @Test
  void serversAreCalledAtTheirRootAndClocksCompared() {
    document = document.replace("https://idp.partner.example/sso", origin() + "/sso").replaceFirst("<ds:Signature .*?</ds:Signature>", "");
    PartnerTestView view = test(true);
    assertThat(verdicts(view, "metadata")).containsExactly("passed");
    assertThat(verdicts(view, "signature")).containsExactly("skipped");
    assertThat(verdicts(view, "certificate")).containsExactly("passed");
    assertThat(verdicts(view, "endpoint")).containsExactly("passed");
    assertThat(verdicts(view, "clock")).as("the test's time is another").containsExactly("warning");
    assertThat(view.verdict()).isEqualTo("warning");
    assertThat(called).containsExactly("/metadata", "/");
  }

  @Test
  void addressesThatTheMetadataChooseAreNotCalledUnlessAllowed() {
    document = document.replace("https://idp.partner.example/sso", origin() + "/sso").replaceFirst("<ds:Signature .*?</ds:Signature>", "");
    PartnerTestView view = test(false);
    assertThat(verdicts(view, "endpoint")).containsExactly("skipped");
    assertThat(view.verdict()).isEqualTo("passed");
    assertThat(called).containsExactly("/metadata");
  }

  @Test
  void serversThatARealmMayNotConnectToAreNotCalled() {
    document = document.replace("https://idp.partner.example/sso", origin() + "/sso").replaceFirst("<ds:Signature .*?</ds:Signature>", "");
    Problem refusal = new Problem(Path.of("gatehouse.yaml"), 0, "url", "is not where this realm may connect to", "-");
    PartnerTestView view = test(true, url -> Optional.of(refusal));
    assertThat(verdicts(view, "endpoint")).containsExactly("skipped");
    assertThat(view.checks()).anyMatch(check -> check.detail().equals("is not where this realm may connect to"));
    assertThat(called).containsExactly("/metadata");
  }

  @Test
  void changedMetadataFailAndTheRestIsNotGuessed() {
    document = document.replace("https://idp.partner.example/sso", origin() + "/sso");
    assertThat(verdicts(test(true), "signature")).containsExactly("failed");
    document = "<a/>";
    PartnerTestView none = test(true);
    assertThat(none.verdict()).isEqualTo("failed");
    assertThat(none.checks()).singleElement().extracting(CheckView::check).isEqualTo("metadata");
  }
}
