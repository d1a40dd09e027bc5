package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.TestRealms;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** OpenID Connect Session Management 1.0: session_state, and the frame that compares it. */
final class SessionManagementTest {

  private static final String FRAME = "/realms/demo/oauth/check_session";

  /** The parts of a browser that the script needs. */
  private static final String BROWSER =
      """
      const fs = require("fs");
      const [script, cookies, message, origin] = process.argv.slice(2);
      let listen;
      globalThis.window = { addEventListener: function (type, listener) { listen = listener; } };
      globalThis.document = { body: { dataset: { cookie: "gh_state.demo" } }, cookie: cookies };
      if (globalThis.crypto === undefined) { globalThis.crypto = require("crypto").webcrypto; }
      (0, eval)(fs.readFileSync(script, "utf8"));
      listen({ data: message, origin: origin, source: { postMessage: function (told, to) { console.log(told + " to " + to); } } });
      """;

  private final OAuthApp app = new OAuthApp();
  private final Idp idp = new Idp(OAuthApp.realm(app));
  private final TestBrowser browser = OAuthApp.signedIn(idp, "alice");
  @TempDir private Path folder;

  private String sessionState() {
    return OAuthApp.query(app.ask(browser)).one("session_state").orElseThrow();
  }

  private static String script(EdgeReply page) {
    Matcher script = Pattern.compile("<script>(.*)</script>", Pattern.DOTALL).matcher(page.text());
    assertThat(script.find()).isTrue();
    return script.group(1);
  }

  /** The frame's answer to a page. */
  private String ask(String message, String origin) throws IOException, InterruptedException {
    Path script = Files.writeString(folder.resolve("frame.js"), script(browser.get(FRAME)));
    Path main = Files.writeString(folder.resolve("browser.js"), BROWSER);
    String cookies = browser.cookies.entrySet().stream().map(c -> c.getKey() + "=" + c.getValue()).reduce("x=y", (a, b) -> a + "; " + b);
    Process node =
        new ProcessBuilder("node", main.toString(), script.toString(), cookies, message, origin)
            .redirectErrorStream(true)
            .start();
    try {
      String told = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      assertThat(node.waitFor(20, TimeUnit.SECONDS)).isTrue();
      return told;
    } finally {
      node.destroyForcibly();
    }
  }

  private static void needsNode() throws InterruptedException {
    boolean isThere;
    try {
      isThere = new ProcessBuilder("node", "--version").start().waitFor() == 0;
    } catch (IOException e) {
      isThere = false;
    }
    assumeTrue(isThere || System.getenv("CI") != null, "there is no node");
  }

  @Test
  void theFrameTellsWhetherThePersonIsStillLoggedIn() throws Exception {
    needsNode();
    String message = OAuthApp.ID + " " + sessionState();
    assertThat(ask(message, "https://app.example")).isEqualTo("unchanged to https://app.example");
    assertThat(ask(message, "https://evil.example")).isEqualTo("changed to https://evil.example");
    assertThat(ask("other " + sessionState(), "https://app.example")).startsWith("changed");
    assertThat(ask("nonsense", "https://app.example")).startsWith("error");
    String csrf = TestBrowser.field(browser.get("/realms/demo/logout").text(), "csrf");
    browser.post("/realms/demo/logout", Map.of("csrf", csrf));
    assertThat(ask(message, "https://app.example")).isEqualTo("changed to https://app.example");
  }

  @Test
  void everyResponseHasAnotherStateForTheSameLogin() {
    String first = sessionState();
    String cookie = browser.cookies.get("gh_state.demo");
    assertThat(sessionState()).isNotEqualTo(first);
    assertThat(browser.cookies.get("gh_state.demo")).isEqualTo(cookie);
    assertThat(first).matches("[0-9a-f]{64}\\.[A-Za-z0-9_-]{16}");
  }

  @Test
  void withoutOpenidThereIsNone() {
    assertThat(OAuthApp.query(app.ask(browser, "scope", "read")).one("session_state")).isEmpty();
  }

  /** Our only cookie for frames of other sites; with http, browsers would not accept it as such. */
  @Test
  void theCookieIsForFramesOnHttpsAlone() {
    assertThat(setCookie(idp.browser())).contains("gh_state.demo=").contains("; SameSite=Lax").doesNotContain("HttpOnly");
    Idp secure = new Idp(OAuthApp.realm(TestRealms.change(TestRealms.demo()).idpUrl("https://id.example").realm(), app));
    TestBrowser there = new TestBrowser(secure.dispatch, Origin.of(URI.create("https://id.example")));
    assertThat(setCookie(there)).contains("__Host-gh_state.demo=").contains("; SameSite=None; Secure");
  }

  private String setCookie(TestBrowser in) {
    in.login(in.get("/realms/demo/login"), "alice", "demo");
    List<String> cookies = app.ask(in).headers().all("Set-Cookie");
    return cookies.stream().filter(cookie -> cookie.contains("gh_state")).findFirst().orElseThrow();
  }

  /** Any page may frame it; it runs only our one script. */
  @Test
  void theFrameRunsItsOwnScriptAlone() throws Exception {
    EdgeReply page = browser.get(FRAME);
    String policy = page.headers().first("Content-Security-Policy").orElseThrow();
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(script(page).getBytes(StandardCharsets.UTF_8));
    assertThat(policy)
        .contains("default-src 'none'", "script-src 'sha256-" + Base64.getEncoder().encodeToString(digest) + "'")
        .doesNotContain("frame-ancestors");
    assertThat(page.headers().first("X-Frame-Options")).isEmpty();
    assertThat(page.text()).doesNotContain("<link", "src=");
  }
}
