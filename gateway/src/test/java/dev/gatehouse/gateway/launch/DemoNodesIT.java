package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.FreePorts;
import dev.gatehouse.common.valkey.ValkeyServer;
import dev.gatehouse.gateway.demo.nodes.NodePorts;
import dev.gatehouse.gateway.launch.PlainBrowser.Shown;
import dev.gatehouse.gateway.process.BuiltNode;
import dev.gatehouse.gateway.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./gatehouse demo --nodes 2}: every request goes to the next node, and one of them is killed. One story. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DemoNodesIT {

  private static final Pattern NODE = Pattern.compile("(?m)^node (\\d) .* pid (\\d+)$");
  private static final Pattern ANSWERED = Pattern.compile("Node (\\d) answered");
  private static final int GUESSES = 10;

  private final int base = FreePorts.inARow(NodePorts.COUNT);
  private final Map<Integer, ProcessHandle> nodes = new HashMap<>();
  private final List<ProcessHandle> children = new ArrayList<>();
  private ServerProcess demo;

  @BeforeAll
  void start(@TempDir Path folder) {
    requireServers();
    demo =
        BuiltNode.start(
            folder, Map.of(), "demo", "--nodes", "2", "--port-base", String.valueOf(base), "--directory",
            folder.resolve("demo").toString());
  }

  @AfterAll
  void stop() {
    if (demo != null) {
      demo.close();
    }
  }

  private static void requireServers() {
    ValkeyServer.requireInstalled();
    boolean installed = Files.isExecutable(Path.of("/usr/sbin/haproxy")) && Files.isDirectory(Path.of("/usr/lib/postgresql"));
    if (!installed && "true".equals(System.getenv("CI"))) {
      Assertions.fail("not installed: apt-get install haproxy postgresql");
    }
    Assumptions.assumeTrue(installed, "skipped: haproxy and postgresql are not installed");
  }

  @Test
  @Order(1)
  void aLineNamesEachNodeAndItsProcess() {
    Matcher lines = NODE.matcher(demo.output());
    while (lines.find()) {
      nodes.put(Integer.valueOf(lines.group(1)), ProcessHandle.of(Long.parseLong(lines.group(2))).orElseThrow());
    }
    assertThat(nodes).containsOnlyKeys(1, 2);
    assertThat(nodes.values()).allMatch(ProcessHandle::isAlive);
    ProcessHandle launcher = node(1).parent().orElseThrow();
    launcher.children().forEach(children::add);
    // PostgreSQL, Valkey, HAProxy and two nodes.
    assertThat(children).hasSize(5);
  }

  @Test
  @Order(2)
  void loginsGoFromNodeToNode() throws IOException, InterruptedException {
    Set<String> answered = new HashSet<>();
    for (int i = 0; i < 6; i++) {
      String person = i % 2 == 0 ? "alice" : "bob";
      try (PlainBrowser browser = new PlainBrowser()) {
        // Another node begins than in the round before.
        if (i % 3 == 1) {
          browser.open(app("/public/"));
        }
        login(browser, person);
        for (int again = 0; again < 2; again++) {
          Shown page = browser.open(app("/nodes"));
          Matcher which = ANSWERED.matcher(page.body());
          assertThat(which.find()).as(page.body()).isTrue();
          answered.add(which.group(1));
        }
      }
    }
    assertThat(answered).containsExactlyInAnyOrder("1", "2");
  }

  @Test
  @Order(3)
  void aLogoutAtOneNodeCountsAtTheOtherAtOnce() throws IOException, InterruptedException {
    try (PlainBrowser browser = new PlainBrowser()) {
      login(browser, "bob");
      Shown home = browser.open(app("/"));
      assertThat(browser.submit(home, browser.form(home)).status()).isEqualTo(200);
      // The next requests are one for each node.
      for (int i = 0; i < 4; i++) {
        assertThat(browser.fetch(app("/whoami"))).isEqualTo(401);
      }
    }
  }

  @Test
  @Order(4)
  void guessesAreCountedTogether() throws IOException, InterruptedException {
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i <= GUESSES; i++) {
      try (PlainBrowser browser = new PlainBrowser()) {
        Shown login = browser.open(app("/whoami"));
        // Without this request, all guesses would go to one node.
        if (i % 2 == 1) {
          browser.open("http://idp.localhost:" + base + "/realms/demo/saml/metadata");
        }
        statuses.add(browser.submit(login, browser.form(login).with("username", "mallory").with("password", "wrong" + i)).status());
      }
    }
    assertThat(statuses.subList(0, GUESSES)).containsOnly(403);
    assertThat(statuses.getLast()).isEqualTo(429);
  }

  @Test
  @Order(5)
  void noRequestFailsWhenANodeIsKilled() throws IOException, InterruptedException {
    try (PlainBrowser browser = new PlainBrowser()) {
      login(browser, "alice");
      for (int i = 0; i < 40; i++) {
        if (i == 10) {
          node(2).destroyForcibly();
        }
        assertThat(browser.fetch(app("/whoami"))).as("request " + i).isEqualTo(200);
      }
      assertThat(browser.open(app("/nodes")).body()).contains("Node 1 answered", "ended");
    }
    try (PlainBrowser other = new PlainBrowser()) {
      login(other, "bob");
    }
    String line = "node 2 (pid " + node(2).pid() + ") was killed. The others serve on.";
    Eventually.holds(() -> demo.output().contains(line));
  }

  @Test
  @Order(6)
  void nothingIsLeftWhenTheDemoIsKilled() {
    ProcessHandle launcher = node(1).parent().orElseThrow();
    assertThat(launcher.destroyForcibly()).isTrue();
    Eventually.holds(() -> Stream.concat(children.stream(), nodes.values().stream()).noneMatch(ProcessHandle::isAlive));
  }

  private void login(PlainBrowser browser, String person) throws IOException, InterruptedException {
    Shown login = browser.open(app("/whoami"));
    Shown handOver = browser.submit(login, browser.form(login).with("username", person).with("password", "demo"));
    Shown answer = browser.submit(handOver, browser.form(handOver));
    assertThat(answer.body()).contains("\"user\":\"" + person + "\"");
  }

  private String app(String path) {
    return "http://app.localhost:" + (base + 2) + path;
  }

  private ProcessHandle node(int number) {
    return Objects.requireNonNull(nodes.get(number));
  }
}
