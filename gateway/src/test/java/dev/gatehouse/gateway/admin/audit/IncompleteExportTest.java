package dev.gatehouse.gateway.admin.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.gatehouse.common.LogLines;
import dev.gatehouse.common.audit.AuditEvent.Administered;
import dev.gatehouse.common.audit.search.AuditSearch;
import dev.gatehouse.common.request.RequestId;
import dev.gatehouse.gateway.admin.TestAdmin;
import dev.gatehouse.gateway.admin.web.AdminProblems;
import dev.gatehouse.gateway.admin.web.IncompleteAnswers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An export that fails after its begin was sent has no end, whatever its client speaks. */
@Timeout(60)
class IncompleteExportTest {

  private static final String EXPORT = "/admin/v1/audit?format=jsonl";
  private static final Pattern REFERENCE = Pattern.compile(RequestId.FIELD + ": (\\S+)");

  @TempDir Path folder;

  private TestAdmin admin(int found) {
    return new TestAdmin(folder, AuditSearch.of(new BrokenSearch(found), List.of()));
  }

  /** What a client got, and whether its connection was reset. */
  private record Got(String text, boolean isReset) {}

  private static Got got(TestAdmin admin, String version, String more) throws IOException {
    ByteArrayOutputStream got = new ByteArrayOutputStream();
    try (Socket socket = new Socket("127.0.0.1", admin.port())) {
      socket.setSoTimeout(20_000);
      String head = "GET " + EXPORT + " " + version + "\r\nHost: localhost\r\nAuthorization: Bearer " + admin.key + "\r\n" + more + "\r\n";
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      byte[] buffer = new byte[1 << 12];
      for (int read = socket.getInputStream().read(buffer); read >= 0; read = socket.getInputStream().read(buffer)) {
        got.write(buffer, 0, read);
      }
      return new Got(got.toString(StandardCharsets.UTF_8), false);
    } catch (SocketException e) {
      return new Got(got.toString(StandardCharsets.UTF_8), true);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Connection: close\r\n"})
  void itHasNoLastChunkAndNothingIsAppended(String more) throws IOException {
    try (TestAdmin admin = admin(1000)) {
      Got got = got(admin, "HTTP/1.1", more);
      assertThat(got.text()).startsWith("HTTP/1.1 200").contains("Transfer-Encoding: chunked", "LoginRefused");
      assertThat(got.text()).doesNotContain("about:blank", "Internal Server Error", "reference").doesNotEndWith("0\r\n\r\n");
    }
  }

  @Test
  void aConnectionWithoutChunksIsReset() throws IOException {
    try (TestAdmin admin = admin(1000)) {
      Got got = got(admin, "HTTP/1.0", "");
      assertThat(got.isReset()).as(got.text()).isTrue();
      assertThat(got.text()).doesNotContain("about:blank", "Internal Server Error");
    }
  }

  @Test
  void itIsLoggedOnceAndAuditedUnderTheReferenceThatTheReaderHas() throws IOException {
    try (TestAdmin admin = admin(1000);
        LogLines log = LogLines.of(IncompleteAnswers.class);
        LogLines others = LogLines.of(AdminProblems.class)) {
      Matcher reference = REFERENCE.matcher(got(admin, "HTTP/1.1", "").text());
      assertThat(reference.find()).isTrue();
      assertThat(log.at(Level.ERROR)).singleElement().asString().contains(reference.group(1));
      assertThat(log.all()).hasSize(1);
      assertThat(others.all()).isEmpty();
      assertThat(admin.audit.events())
          .last().isInstanceOf(Administered.class).asString().contains("audit.export-failed", reference.group(1));
    }
  }

  @Test
  void itLeavesItsPlaceAndClientsNotice() throws Exception {
    try (TestAdmin admin = admin(1000)) {
      for (int i = 0; i < ExportPlaces.MOST; i++) {
        assertThatThrownBy(() -> admin.authorized("GET", EXPORT)).isInstanceOf(IOException.class);
      }
      assertThat(admin.authorized("GET", "/admin/v1/realms").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void beforeAnythingWasSentItIsAProblem() throws Exception {
    try (TestAdmin admin = admin(3)) {
      HttpResponse<String> answer = admin.authorized("GET", EXPORT);
      assertThat(answer.statusCode()).isEqualTo(500);
      assertThat(answer.headers().firstValue("Content-Type").orElse("")).startsWith("application/problem+json");
      assertThat(answer.body()).startsWith("{").contains("reference").doesNotContain("LoginRefused");
      assertThat(admin.audit.events()).last().asString().contains("audit.export-failed");
    }
  }
}
