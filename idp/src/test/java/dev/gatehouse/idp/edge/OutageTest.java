package dev.gatehouse.idp.edge;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;

/** What somebody gets, and the log, while something that an endpoint needs is away. */
class OutageTest {

  private final Logger logger = (Logger) LoggerFactory.getLogger(EndpointDispatcher.class);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
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

  @BeforeEach
  void listen() {
    lines.start();
    logger.addAppender(lines);
    logger.setAdditive(false);
  }

  @AfterEach
  void end() {
    logger.setAdditive(true);
    logger.detachAppender(lines);
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
    assertThat(lines.list).hasSize(100).allMatch(line -> line.getThrowableProxy() == null && line.getFormattedMessage().contains("(reference "));
    assertThat(lines.list).filteredOn(line -> line.getLevel().equals(Level.WARN)).hasSize(1);
    reply(new IllegalStateException("a defect"));
    assertThat(lines.list.getLast().getThrowableProxy()).isNotNull();
  }
}
