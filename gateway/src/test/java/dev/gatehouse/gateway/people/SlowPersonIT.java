package dev.gatehouse.gateway.people;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.sun.net.httpserver.HttpServer;
import dev.gatehouse.gateway.browser.Chromium;
import dev.gatehouse.gateway.browser.Person;
import dev.gatehouse.gateway.browser.WithChromium;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A long time on the login page. Chromium sends a cookie that says nothing of SameSite along with another site's POST
 * for two minutes after it was set (Lax+POST); a sign-on that lives on that breaks for whoever looks for a password.
 * Chromium's own switch makes ten seconds of the two minutes; a cookie of that kind shows that they are over.
 */
@ExtendWith({WithChromium.class, Journey.class})
class SlowPersonIT {

  private static final Duration LONG_ENOUGH = Duration.ofSeconds(12);

  private final World world;

  SlowPersonIT(World world) {
    this.world = world;
  }

  @Test
  void minutesOnTheLoginPageDoNotMatter() throws IOException {
    HttpServer site = cookieSite();
    try (Chromium chromium = Chromium.withShortLaxPost();
        Person alice = new Person(chromium.profile());
        BrowserContext other = chromium.profile()) {
      alice.open(world.app("/?slowly"));
      alice.sees("Sign in");
      Page page = other.newPage();
      page.navigate("http://127.0.0.1:" + site.getAddress().getPort() + "/set");
      Assertions.assertThat(posted(page, site)).as("at once").isEqualTo("unsaid=1");
      page.waitForTimeout(LONG_ENOUGH.toMillis());
      Assertions.assertThat(posted(page, site)).as("too late").isEqualTo("none");
      alice.signIn("alice", "demo");
      alice.isAt(world.app("/?slowly"));
      assertThat(alice.text("Hello, alice")).isVisible();
    } finally {
      site.stop(0);
    }
  }

  /** The Cookie header of a POST from another site. */
  private static String posted(Page page, HttpServer site) {
    page.navigate("http://localhost:" + site.getAddress().getPort() + "/form");
    page.locator("button").click();
    page.waitForURL("**/post");
    return page.locator("body").textContent();
  }

  /** Two sites by two names: one sets a cookie, the other one posts to it. */
  private static HttpServer cookieSite() throws IOException {
    HttpServer site = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    site.createContext("/", exchange -> {
      String body =
          switch (exchange.getRequestURI().getPath()) {
            case "/set" -> {
              exchange.getResponseHeaders().add("Set-Cookie", "unsaid=1; Path=/");
              yield "set";
            }
            case "/form" ->
                "<form method=post action=http://127.0.0.1:" + site.getAddress().getPort() + "/post><button>Post</button></form>";
            default -> Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("Cookie"), "none");
          };
      byte[] content = body.getBytes(StandardCharsets.US_ASCII);
      exchange.getRequestBody().readAllBytes();
      exchange.getResponseHeaders().add("Content-Type", "text/html");
      exchange.sendResponseHeaders(200, content.length);
      exchange.getResponseBody().write(content);
      exchange.close();
    });
    site.start();
    return site;
  }
}
