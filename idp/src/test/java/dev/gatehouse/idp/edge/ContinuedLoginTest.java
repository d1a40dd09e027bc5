package dev.gatehouse.idp.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which replies to the login form are continued here, and with which request. */
final class ContinuedLoginTest {

  private static final String WAITING = "/realms/demo/saml/sso?pending=abc";

  @Test
  void theRequestIsTheOneThatTheBrowserWouldSend() {
    EdgeRequest form = form("POST", "/realms/demo/login", "Sec-Fetch-Mode", "navigate");
    EdgeReply reply =
        EdgeReply.seeOther(WAITING)
            .with("Set-Cookie", "gh_idp.demo=new; Path=/; HttpOnly; SameSite=Lax")
            .with("Set-Cookie", "gh_gone=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
    EdgeRequest next = ContinuedLogin.next(form, reply).orElseThrow();
    assertThat(next.method()).isEqualTo("GET");
    assertThat(next.path()).isEqualTo("/realms/demo/saml/sso");
    assertThat(next.query()).isEqualTo("pending=abc");
    assertThat(next.origin()).isEqualTo(form.origin());
    assertThat(next.client()).isEqualTo(form.client());
    assertThat(next.body()).isEmpty();
    assertThat(next.formParameters().one("password")).isEmpty();
    assertThat(next.headers().all("Cookie")).containsExactly("gh_pre.demo=p; other=o; gh_idp.demo=new");
    assertThat(next.headers().first("Accept-Language")).contains("de");
    assertThat(next.headers().first("Sec-Fetch-Mode")).contains("navigate");
    assertThat(next.headers().first("Content-Type")).isEmpty();
    assertThat(next.headers().first("Origin")).isEmpty();
  }

  @Test
  void theAnswerKeepsWhatTheLoginGave() {
    EdgeReply login =
        EdgeReply.seeOther(WAITING).with("Set-Cookie", "gh_idp.demo=new; Path=/").with("Secure-Session-Registration", "(ES256)");
    EdgeReply answer = EdgeReply.of(200, "text/html", "page").with("Set-Cookie", "gh_wait=; Max-Age=0").with("Cache-Control", "no-store");
    EdgeReply together = ContinuedLogin.together(login, answer);
    assertThat(together.status()).isEqualTo(200);
    assertThat(together.text()).isEqualTo("page");
    assertThat(together.headers().first("Location")).isEmpty();
    assertThat(together.headers().all("Set-Cookie")).containsExactly("gh_idp.demo=new; Path=/", "gh_wait=; Max-Age=0");
    assertThat(together.headers().all("Secure-Session-Registration")).containsExactly("(ES256)");
    assertThat(together.headers().all("Content-Type")).containsExactly("text/html");
    EdgeReply redirect = ContinuedLogin.together(login, EdgeReply.seeOther("https://app.example/cb"));
    assertThat(redirect.headers().all("Location")).containsExactly("https://app.example/cb");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/realms/demo/account", "/realms/demo/saml/sso?resume=abc", "/realms/demo/saml/sso", "/realms/other/saml/sso?pending=abc",
        "/realms/demo/login/second?pending=abc", "https://evil.example/realms/demo/saml/sso?pending=abc",
        "//evil.example/realms/demo/saml/sso?pending=abc", "/realms/demo/oauth/token?pending=abc", "/realms/demo/consent?pending=abc", ""
      })
  void allOtherRedirectsAreTheBrowsers(String location) {
    EdgeRequest form = form("POST", "/realms/demo/login", "Sec-Fetch-Mode", "navigate");
    assertThat(ContinuedLogin.next(form, EdgeReply.seeOther(location))).isEmpty();
  }

  @Test
  void onlyNavigationsOfTheFormAreContinued() {
    EdgeReply reply = EdgeReply.seeOther(WAITING);
    assertThat(ContinuedLogin.next(form("POST", "/realms/demo/login", "Sec-Fetch-Mode", "navigate"), reply)).isPresent();
    assertThat(ContinuedLogin.next(form("GET", "/realms/demo/login", "Sec-Fetch-Mode", "navigate"), reply)).isEmpty();
    assertThat(ContinuedLogin.next(form("POST", "/realms/demo/login", "Sec-Fetch-Mode", "cors"), reply)).isEmpty();
    assertThat(ContinuedLogin.next(form("POST", "/realms/demo/login", "Accept", "text/html"), reply)).as("a program").isEmpty();
    assertThat(ContinuedLogin.next(form("POST", "/realms/demo/login/passkey", "Sec-Fetch-Mode", "navigate"), reply)).isEmpty();
    EdgeReply page = EdgeReply.of(200, "text/html", "").with("Location", WAITING);
    assertThat(ContinuedLogin.next(form("POST", "/realms/demo/login", "Sec-Fetch-Mode", "navigate"), page)).isEmpty();
  }

  private static EdgeRequest form(String method, String path, String name, String value) {
    Headers headers =
        Headers.of(name, value)
            .and("Cookie", "gh_pre.demo=p; gh_idp.demo=old; gh_gone=g; other=o")
            .and("Content-Type", "application/x-www-form-urlencoded")
            .and("Content-Length", "13")
            .and("Origin", "https://idp.example")
            .and("Accept-Language", "de");
    Optional<String> body = Optional.of("password=demo").filter(_ -> method.equals("POST"));
    return new EdgeRequest(
        method, Origin.of(URI.create("https://idp.example")), path, "pending=abc", headers,
        body.orElse("").getBytes(StandardCharsets.UTF_8), InetAddress.getLoopbackAddress());
  }
}
