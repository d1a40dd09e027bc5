package dev.gatehouse.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.search.AuditSearch;
import dev.gatehouse.gateway.admin.TestAdmin;
import dev.gatehouse.gateway.admin.audit.BrokenSearch;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** An export of which a part is missing is no success. */
@Timeout(60)
class IncompleteAnswerTest {

  @Command(name = "admin")
  private static final class Admin {}

  @Command
  private static final class Access implements NodeAccess {
    private final NodeApi node;

    Access(NodeApi node) {
      this.node = node;
    }

    @Override
    public NodeApi open() {
      return node;
    }
  }

  @Test
  void aBrokenExportSaysSoAndFails(@TempDir Path folder) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    try (TestAdmin admin = new TestAdmin(folder, AuditSearch.of(new BrokenSearch(1000), List.of()))) {
      HttpClient http = HttpClient.newHttpClient();
      NodeApi node = new NodeApi(URI.create("http://127.0.0.1:" + admin.port()), http, admin.key, http::close);
      CommandLine line = new CommandLine(new Admin());
      OperationCommands.addTo(line, () -> new Access(node), InputStream.nullInputStream());
      line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
      assertThat(line.execute("audit", "search", "--format", "jsonl")).as(out.toString()).isEqualTo(1);
    }
    assertThat(out.toString()).doesNotContain("about:blank");
    assertThat(err.toString()).contains("INCOMPLETE", "under reference ").doesNotContain("reference -", "\tat ");
  }
}
