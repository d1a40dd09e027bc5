package dev.gatehouse.gateway.deploy;

import dev.gatehouse.gateway.launch.PlainBrowser;
import dev.gatehouse.gateway.launch.PlainBrowser.Shown;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * The services of {@code docker/nodes/compose.yaml}, started in the order and under the conditions that it says, and two people who use them.
 * It runs alone in a network namespace: so all ports and addresses are those of the file.
 */
final class ComposeSite implements AutoCloseable {

  private static final long UNTIL_HEALTHY = 120;
  private static final long UNTIL_ANSWERED = 60;
  private static final String APP = "http://app.localhost:8000/";

  private final ComposeFile file;
  private final List<String> node;
  private final Path folder;
  private final Map<String, ComposeContainer> started = new LinkedHashMap<>();

  private ComposeSite(ComposeFile file, List<String> node, Path folder) {
    this.file = file;
    this.node = node;
    this.folder = folder;
  }

  /** @param arguments the Compose file, a folder, and the program of a node */
  public static void main(String[] arguments) throws Exception {
    new ProcessBuilder("ip", "link", "set", "lo", "up").inheritIO().start().waitFor();
    SecureRandom random = new SecureRandom();
    byte[] secret = new byte[16];
    byte[] key = new byte[32];
    random.nextBytes(secret);
    random.nextBytes(key);
    String password = HexFormat.of().formatHex(secret);
    Map<String, String> variables =
        Map.of(
            "POSTGRES_PASSWORD", password, "VALKEY_PASSWORD", password, "GATEHOUSE_MASTER_KEY", Base64.getEncoder().encodeToString(key));
    List<String> node = List.of(arguments).subList(2, arguments.length);
    try (ComposeSite site = new ComposeSite(ComposeFile.read(Path.of(arguments[0]), variables), node, Path.of(arguments[1]))) {
      site.up();
      site.isUsed();
    }
    // Threads of clients do not keep it.
    System.exit(0);
  }

  private static void say(String what) {
    System.out.println(what);
  }

  /** Starts each service once those are as it needs them on which it depends. */
  private void up() throws Exception {
    while (started.size() < file.services().size()) {
      int before = started.size();
      for (String name : file.services().keySet()) {
        Map<String, String> needed = Objects.requireNonNull(file.services().get(name)).dependsOn();
        if (!started.containsKey(name) && started.keySet().containsAll(needed.keySet())) {
          for (Map.Entry<String, String> each : needed.entrySet()) {
            if (each.getValue().equals("service_healthy")) {
              container(each.getKey()).awaitHealth(UNTIL_HEALTHY);
            }
          }
          start(name);
        }
      }
      if (started.size() == before) {
        throw new IllegalStateException("Services wait for each other: " + file.services().keySet());
      }
    }
    for (String name : file.services().keySet()) {
      if (isNode(name)) {
        container(name).awaitHealth(UNTIL_HEALTHY);
        say("healthy: " + name);
      }
    }
  }

  private static boolean isNode(String name) {
    return name.startsWith("idp-") || name.startsWith("gateway-");
  }

  private void start(String name) throws IOException {
    started.put(name, ComposeContainer.start(file, name, node, folder));
    say("started: " + name);
  }

  private ComposeContainer container(String name) {
    return Objects.requireNonNull(started.get(name), name);
  }

  private void isUsed() throws Exception {
    try (PlainBrowser alice = new PlainBrowser(); PlainBrowser bob = new PlainBrowser()) {
      logsIn(alice, "alice");
      for (int i = 0; i < 8; i++) {
        expect(alice.open(APP + "page" + i), 200, "user alice");
      }
      expect(alice.open(APP + "manager/"), 403, "");
      kill("idp-1", "gateway-1");
      goesOn(alice);
      logsIn(bob, "bob");
      expect(bob.open(APP + "manager/"), 200, "user bob");
      for (String name : List.of("idp-1", "gateway-1")) {
        start(name);
      }
      for (String name : List.of("idp-1", "gateway-1")) {
        container(name).awaitHealth(UNTIL_HEALTHY);
      }
      kill("idp-2", "gateway-2");
      goesOn(alice);
      goesOn(bob);
      try (PlainBrowser other = new PlainBrowser()) {
        logsIn(other, "alice");
      }
    }
    for (Map.Entry<String, ComposeContainer> each : started.entrySet()) {
      if (!each.getValue().isRunning() && !each.getKey().endsWith("-2")) {
        throw new IllegalStateException(each.getKey() + " has ended by itself");
      }
    }
    say("used");
  }

  private void kill(String... names) {
    for (String name : names) {
      container(name).kill();
      say("killed: " + name);
    }
  }

  private interface Visit {
    Shown shown() throws IOException, InterruptedException;
  }

  /** Where a node that has just been killed was asked the balancer says so; until it knows it. */
  private static Shown awaited(Visit visit, int status, String text) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(UNTIL_ANSWERED);
    String last = "";
    while (System.nanoTime() < end) {
      try {
        Shown shown = visit.shown();
        if (shown.status() == status && shown.body().contains(text)) {
          return shown;
        }
        last = shown.url() + " " + shown.status() + "\n" + shown.body();
      } catch (IOException e) {
        last = e.toString();
      }
      Thread.sleep(100);
    }
    throw new IllegalStateException("No " + status + " with \"" + text + "\" but " + last);
  }

  private static void goesOn(PlainBrowser browser) throws InterruptedException {
    long begun = System.nanoTime();
    awaited(() -> browser.open(APP), 200, "user ");
    say("answered again after " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun) + " ms");
  }

  /** Waits until the nodes that answer have read each other's metadata: each node reads them by itself. */
  private static void logsIn(PlainBrowser browser, String person) throws InterruptedException {
    awaited(() -> shownAfterLogin(browser, person), 200, "user " + person);
    say("logged in: " + person);
  }

  private static Shown shownAfterLogin(PlainBrowser browser, String person) throws IOException, InterruptedException {
    Shown page = awaited(() -> browser.open(APP), 200, "<form");
    if (page.body().contains("name=\"password\"")) {
      page = browser.submit(page, browser.form(page).with("username", person).with("password", "demo"));
    }
    for (int i = 0; i < 4 && page.status() == 200 && page.body().contains("<form"); i++) {
      page = browser.submit(page, browser.form(page));
    }
    return page;
  }

  private static void expect(Shown shown, int status, String text) {
    if (shown.status() != status || !shown.body().contains(text)) {
      throw new IllegalStateException("Not " + status + " with \"" + text + "\": " + shown.url() + " " + shown.status() + "\n" + shown.body());
    }
  }

  @Override
  public void close() {
    started.values().forEach(ComposeContainer::close);
  }
}
