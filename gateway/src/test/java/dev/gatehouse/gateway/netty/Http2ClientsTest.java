package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.node.Node;
import dev.gatehouse.gateway.demo.DemoCertificate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** HTTP/2 as curl and h2load speak it, which are both built on nghttp2: a second opinion on every frame. */
@Timeout(120)
class Http2ClientsTest {

  private static final String CURL = "/usr/bin/curl";
  private static final String H2LOAD = "/usr/bin/h2load";

  @TempDir private Path folder;

  private RawApp app;
  private TestGateway plain;
  private TestGateway secure;

  @BeforeEach
  void start() throws IOException {
    requireClients();
    app =
        new RawApp(
            (request, in, out, socket) -> {
              byte[] body = RawApp.readBody(request, in);
              String text = request.requestLine() + " " + body.length + " " + "x".repeat(20_000);
              out.write(RawApp.ok(text).getBytes(StandardCharsets.US_ASCII));
            });
    DemoCertificate.ensure(folder, Instant.now(), new SecureRandom());
    plain = TestGateway.before(app);
    secure = TestGateway.secure(app, new Node.Tls(folder.resolve("demo.crt"), folder.resolve("demo.key")));
  }

  @AfterEach
  void stop() throws IOException {
    if (app != null) {
      secure.close();
      plain.close();
      app.close();
    }
  }

  /** Skips the test by name where one is missing; fails it under {@code CI=true}. */
  private static void requireClients() {
    boolean installed = Files.isExecutable(Path.of(CURL)) && Files.isExecutable(Path.of(H2LOAD));
    if (!installed && "true".equals(System.getenv("CI"))) {
      Assertions.fail("not installed: curl and h2load (apt-get install curl nghttp2-client)");
    }
    Assumptions.assumeTrue(installed, "skipped: curl or h2load is not installed");
  }

  private String run(String... command) throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
    boolean ended = process.waitFor(Duration.ofSeconds(90));
    process.destroyForcibly();
    String text = Files.readString(output);
    assertThat(ended && process.exitValue() == 0).as(text).isTrue();
    return text;
  }

  private String curl(int port, String url, String... more) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(CURL, "-sS", "-k", "--max-time", "60", "-w", "|%{http_version} %{http_code}", "--connect-to",
                "::127.0.0.1:" + port));
    command.addAll(List.of(more));
    command.add(url);
    return run(command.toArray(new String[0]));
  }

  @Test
  void curlWithPriorKnowledge() throws Exception {
    String answer = curl(plain.port(), "http://app.localhost/public/a", "--http2-prior-knowledge");
    assertThat(answer).startsWith("GET /public/a HTTP/1.1 0 xxx").endsWith("xxx|2 200");
  }

  @Test
  void curlOverTlsChoosesHttp2AndStillSpeaksHttp11() throws Exception {
    assertThat(curl(secure.port(), "https://app.localhost/public/", "--http2")).endsWith("|2 200");
    assertThat(curl(secure.port(), "https://app.localhost/public/", "--http1.1")).endsWith("|1.1 200");
    assertThat(curl(secure.port(), "https://app.localhost/public/", "--no-alpn", "--http1.1")).endsWith("|1.1 200");
    assertThat(curl(secure.port(), "https://app.localhost/", "--http2")).endsWith("|2 303");
  }

  @Test
  void anUpgradeInClearTextIsNotTaken() throws Exception {
    assertThat(curl(plain.port(), "http://app.localhost/public/", "--http2")).endsWith("|1.1 200");
  }

  @Test
  void curlUploads() throws Exception {
    Path file = Files.write(folder.resolve("upload"), new byte[3_000_000]);
    String answer =
        curl(secure.port(), "https://app.localhost/public/", "--http2", "--data-binary", "@" + file, "-H", "Expect: 100-continue");
    assertThat(answer).startsWith("POST /public/ HTTP/1.1 3000000 x").endsWith("|2 200");
  }

  @Test
  void h2loadOnManyStreams() throws Exception {
    for (String url : List.of("http://127.0.0.1:" + plain.port(), "https://127.0.0.1:" + secure.port())) {
      String report =
          run(H2LOAD, "-n", "3000", "-c", "5", "-m", "100", "-H", ":authority: app.localhost", url + "/public/load");
      assertThat(report).contains("3000 succeeded, 0 failed, 0 errored, 0 timeout").contains("status codes: 3000 2xx");
    }
  }

  @Test
  void h2loadWithAnUploadAndATinyWindow() throws Exception {
    Path file = Files.write(folder.resolve("upload"), new byte[50_000]);
    String report =
        run(H2LOAD, "-n", "300", "-c", "3", "-m", "20", "-w", "12", "-W", "14", "-d", file.toString(), "-H",
            ":authority: app.localhost", "http://127.0.0.1:" + plain.port() + "/public/load");
    assertThat(report).contains("300 succeeded, 0 failed, 0 errored, 0 timeout").contains("status codes: 300 2xx");
  }
}
