package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.gatehouse.common.LogLines;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.store.StoreUnavailable;
import dev.gatehouse.gateway.netty.RawClient.Response;
import dev.gatehouse.gateway.refusal.Refusals;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.dao.DataAccessResourceFailureException;

/** What somebody with a session gets, and the log, while something that the request needs is away. */
@Timeout(60)
class OutageTest {

  @AutoClose private final LogLines lines = LogLines.of(Refusals.class);

  @Test
  void everyOutageIsToldWithItsPageAndALineWithoutAStackTrace() throws IOException {
    try (RawApp app = RawApp.answering(RawApp.ok("hello"));
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      String token = gateway.sessions().open("alice", List.of(), List.of());
      assertUnavailable("storage-unavailable", gateway, client, token, new StoreUnavailable("Valkey did not answer", new IOException("reset")));
      assertUnavailable("storage-low", gateway, client, token, StoreUnavailable.lowOnSpace());
      assertUnavailable("storage-unavailable", gateway, client, token, new DataAccessResourceFailureException("No transaction can begin"));
      assertUnavailable("directory-unavailable", gateway, client, token, new DirectoryUnavailable("No server answers"));
      assertThat(lines.all()).hasSize(4).allMatch(line -> line.getThrowableProxy() == null && line.getLevel().equals(Level.WARN));
      assertUnavailable("storage-unavailable", gateway, client, token, new StoreUnavailable("Valkey did not answer"));
      assertThat(lines.all().getLast().getLevel()).isEqualTo(Level.INFO);
    }
  }

  private void assertUnavailable(String page, TestGateway gateway, RawClient client, String token, RuntimeException fault) throws IOException {
    gateway.sessions().breakDown(fault);
    Response answer = client.get("/page", "Cookie: gh_app=" + token).read();
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.body()).contains("\"" + page + "\"");
    assertThat(answer.field("Retry-After")).contains("10");
    assertThat(lines.all().getLast().getFormattedMessage()).startsWith("[" + client.requestId()).contains(" was refused: ");
  }
}
