package dev.gatehouse.common.faults;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.gatehouse.common.faults.Fact.Kind;
import dev.gatehouse.common.faults.Fact.Verdict;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two nodes, of which one is told to accept what was ended. */
class CookieTrialsTest {

  private static final String SIGN_ON = "/realms/office/oauth/authorize?prompt=none";

  @AutoClose private final HttpClient client = HttpClient.newHttpClient();
  private final Requests requests = new Requests();
  private final Visitor somebody = new Visitor(client, requests);
  private final Map<Integer, Node> nodes = new HashMap<>();
  private Node well;
  private Node deaf;

  /** A node, and what it answers. */
  private static final class Node {

    private final HttpServer server;
    private volatile int status = 200;
    private volatile boolean isPageShown;
    private volatile boolean isQuestionShown;
    private volatile boolean isSignedOn;
    private volatile boolean isRunning = true;

    Node() throws IOException {
      server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
      server.createContext(
          "/",
          exchange -> {
            String path = exchange.getRequestURI().getPath();
            String answer = isSignedOn ? "code=1" : "error=login_required";
            exchange.getResponseHeaders().add("Location", path.endsWith("authorize") ? "http://127.0.0.1:9/callback?" + answer : "/login");
            String body =
                (isPageShown && path.equals("/") ? "alice" : "")
                    + (isQuestionShown && path.endsWith("/logout") ? "<form method=\"post\" action=\"/\">" : "");
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            if (bytes.length > 0) {
              exchange.getResponseBody().write(bytes);
            }
            exchange.close();
          });
      server.start();
    }

    int port() {
      return server.getAddress().getPort();
    }
  }

  @BeforeEach
  void start() throws IOException {
    well = new Node();
    deaf = new Node();
    nodes.put(well.port(), well);
    nodes.put(deaf.port(), deaf);
  }

  @AfterEach
  void stop() {
    nodes.values().forEach(node -> node.server.stop(0));
  }

  private CookieTrials trials() {
    List<Integer> ports = List.of(well.port(), deaf.port());
    IntPredicate isRunning = port -> requireNonNull(nodes.get(port)).isRunning;
    return new CookieTrials(
        new CookieTrials.Nodes("http://127.0.0.26:81/", ports, "http://127.0.0.22:80/realms/office", ports, SIGN_ON), requests, isRunning);
  }

  /** The end of a session, as people have it who log out everywhere. */
  private Fact ended(CookieTrials trials) {
    return new Fact(Kind.LOGOUT, true) {
      @Override
      Verdict ask() throws IOException {
        return worst(() -> trials.page(this, somebody), () -> trials.question(this, somebody), () -> trials.signOn(somebody));
      }
    };
  }

  private static Verdict checked(Fact fact) throws IOException {
    fact.check(sent -> Duration.ofMinutes(5));
    return fact.verdict();
  }

  @Test
  void aPageFromMemoryIsLateAndASignOnAtTheSameNodeIsWrong() throws IOException {
    assertThat(checked(ended(trials()))).isEqualTo(Verdict.KEPT);
    deaf.isPageShown = true;
    deaf.isQuestionShown = true;
    assertThat(checked(ended(trials()))).isEqualTo(Verdict.LATE);
    deaf.isSignedOn = true;
    assertThat(checked(ended(trials()))).isEqualTo(Verdict.WRONGLY_ACCEPTED);
    deaf.isPageShown = false;
    deaf.isQuestionShown = false;
    assertThat(checked(ended(trials()))).isEqualTo(Verdict.WRONGLY_ACCEPTED);
  }

  @Test
  void whileAFaultLastsOneNodeMaySayNothingAndAfterItEachHasToAnswer() throws IOException {
    deaf.status = 503;
    CookieTrials trials = trials();
    Fact fact = ended(trials);
    assertThat(checked(fact)).isEqualTo(Verdict.KEPT);
    trials.askEach();
    assertThatThrownBy(() -> checked(fact)).isInstanceOf(Visitor.Unavailable.class).hasMessageContaining(String.valueOf(deaf.port()));
    assertThat(fact.checks()).isEqualTo(1);
    deaf.isRunning = false;
    assertThat(checked(fact)).isEqualTo(Verdict.KEPT);
  }

  @Test
  void whatANodeAcceptsCountsThoughAnotherOneIsSilent() throws IOException {
    well.status = 503;
    deaf.isPageShown = true;
    CookieTrials trials = trials();
    trials.askEach();
    assertThat(checked(ended(trials))).isEqualTo(Verdict.LATE);
  }

  @Test
  void aSessionThatNobodyHasEndedIsRefusedByNoNode() {
    well.isPageShown = true;
    well.isQuestionShown = true;
    well.isSignedOn = true;
    deaf.isPageShown = true;
    assertThat(trials().refusedPages(somebody)).singleElement().asString().contains("/realms/office/logout: 200 /login");
    assertThat(trials().refusedSignOns(somebody)).singleElement().asString().contains("error=login_required");
    deaf.status = 503;
    assertThat(trials().refusedPages(somebody)).as("it cannot say").isEmpty();
  }
}
