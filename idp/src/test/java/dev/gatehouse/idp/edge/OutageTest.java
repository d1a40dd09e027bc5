package dev.gatehouse.idp.edge;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.gatehouse.common.LogLines;
import dev.gatehouse.common.audit.AuditUnavailable;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.realm.FixedRealms;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.store.StoreUnavailable;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessResourceFailureException;

/** What somebody gets, and the log, while something that an endpoint needs is away. */
class OutageTest {

  @AutoClose private final LogLines lines = LogLines.of(EndpointDispatcher.class);
  private final Realm realm = TestRealms.demo();
  private final EndpointDispatcher dispatcher =
      new EndpointDispatcher(new FixedRealms(realm), new Routes(List.of()), new KindOfPage(), new Random(1));

  /** An error page that says its kind alone. */
  private static final class KindOfPage implements Pages {
    @Override
    public EdgeReply render(EdgeRequest request, Optional<Realm> realm, Page page) {
      throw new UnsupportedOperationException();
    }

    @Override
    public EdgeReply error(EdgeRequest request, Optional<Realm> realm, int status, String kind, String reference) {
      return EdgeReply.of(status, "text/plain", kind);
    }

    @Override
    public EdgeReply autoSubmit(EdgeRequest request, Optional<Realm> realm, SamlWriter.PostForm form, List<String> framedBy) {
      throw new UnsupportedOperationException();
    }
  }

  private EdgeReply reply(RuntimeException fault) {
    EdgeRequest http =
        new EdgeRequest(
            "GET", Origin.of(URI.create(TestRealms.IDP)), "/realms/demo/login", "", Headers.of(List.of()), new byte[0],
            InetAddress.getLoopbackAddress());
    return dispatcher.answer(
        new RealmRequest(realm, realm.idp().orElseThrow(), http, List.of()),
        request -> {
          throw fault;
        });
  }

  private void assertUnavailable(String kind, RuntimeException fault) {
    EdgeReply reply = reply(fault);
    assertThat(reply.status()).isEqualTo(503);
    assertThat(reply.text()).isEqualTo(kind);
    assertThat(reply.headers().first("Retry-After")).contains("10");
  }

  @Test
  void everyOutageIsToldWithItsPageAndWithATimeToTryAgain() {
    assertUnavailable("storage-unavailable", new StoreUnavailable("Valkey did not answer"));
    assertUnavailable("storage-low", StoreUnavailable.lowOnSpace());
    assertUnavailable("storage-unavailable", new DataAccessResourceFailureException("No transaction can begin"));
    assertUnavailable("directory-unavailable", new DirectoryUnavailable("No server answers"));
    assertUnavailable("audit-unavailable", new AuditUnavailable("The disk is full", new IOException("No space left on device")));
    assertThat(reply(new IllegalStateException("a defect")).status()).isEqualTo(500);
  }

  @Test
  void anOutageOfTheStoreFillsNoDiskWithStackTraces() {
    for (int i = 0; i < 100; i++) {
      reply(new StoreUnavailable("Valkey did not answer", new IOException("Connection reset")));
    }
    assertThat(lines.all()).hasSize(100).allMatch(line -> line.getThrowableProxy() == null && line.getFormattedMessage().contains("(reference "));
    assertThat(lines.all()).filteredOn(line -> line.getLevel().equals(Level.WARN)).hasSize(1);
    reply(new IllegalStateException("a defect"));
    assertThat(lines.all().getLast().getThrowableProxy()).isNotNull();
  }
}
