package dev.gatehouse.perf.faults;

import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.http.Browser;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.DemoApp;
import dev.gatehouse.perf.server.Federation;
import dev.gatehouse.perf.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Anonymous clients begin logins from 200 addresses, 5,000 from each or as many as the time permits, at the service
 * provider and on to the identity provider; none is finished. During and after the attack a person logs in.
 */
final class AnonymousSamlStarts implements FaultCase {

  private static final int ADDRESSES = 200;
  private static final int STARTS_PER_ADDRESS = 5_000;
  private static final int PEOPLE = 10;
  private static final String PAGE = "/protected/page";
  private static final double MEGABYTE = 1024.0 * 1024;

  @Override
  public String name() {
    return "anonymous-saml-starts";
  }

  @Override
  public String description() {
    return "200 addresses start 5,000 SAML logins each at the sp and finish none; nothing is stored for them, and a user can log in";
  }

  @Override
  public List<Figure> run(FaultContext context) throws Exception {
    DemoApp app = context.closeAtEnd(DemoApp.start());
    ServerProcess slapd = context.slapd();
    Path nodes = Files.createDirectories(context.work().resolve("nodes"));
    Federation federation =
        context.closeAtEnd(
            Federation.start(
                Build.here(), nodes, slapd.port(), PEOPLE, app.url(), "p-256", List.of(Federation.Setup.plain())));
    String page = federation.appUrls().get(Federation.Setup.plain().realm()) + PAGE;
    logIn(page, federation.idpUrl(), 1);
    long before = stored(nodes);
    context.progress("the attack begins");
    Process attacker =
        context.attack(
            AnonymousSamlStartsAttack.class, page, ADDRESSES, STARTS_PER_ADDRESS, context.duration().toSeconds());
    List<Figure> figures = new ArrayList<>();
    Thread.sleep(context.duration().dividedBy(2));
    figures.add(Figure.atMost(10_000, "a login during the attack", logIn(page, federation.idpUrl(), 2).toMillis(), "ms"));
    int exit = attacker.waitFor();
    figures.addFirst(Figure.atLeast(1, "logins begun", begun(context.attackerLog()), ""));
    figures.add(Figure.holds("the attacker came to its end", exit == 0));
    figures.add(Figure.reported("size of the stores of both nodes", stored(nodes) / MEGABYTE, "MB"));
    figures.add(Figure.atMost(1, "growth of the stores of both nodes", (stored(nodes) - before) / MEGABYTE, "MB"));
    figures.add(Figure.atMost(2_000, "a login after the attack", logIn(page, federation.idpUrl(), 3).toMillis(), "ms"));
    return figures;
  }

  private static double begun(Path log) throws IOException {
    return Files.readAllLines(log).stream()
        .filter(line -> line.startsWith(AnonymousSamlStartsAttack.BEGUN))
        .mapToDouble(line -> Double.parseDouble(line.substring(AnonymousSamlStartsAttack.BEGUN.length()).strip()))
        .sum();
  }

  /** Bytes of the embedded stores. */
  private static long stored(Path nodes) throws IOException {
    return Folders.bytes(nodes, file -> file.toString().contains("rocksdb"));
  }

  /**
   * Logs a person in, from the page through the login form back to the page; returns the duration.
   *
   * @throws IOException if the page is not reached
   */
  private static Duration logIn(String page, String idpUrl, int person) throws IOException {
    long begin = System.nanoTime();
    try (Browser browser = new Browser(List.of(Browser.origin(page), idpUrl))) {
      browser.open(
          page,
          Map.of("username", People.name(person), "password", People.password(person)),
          (at, answer) -> answer.status() == 200 && at.equals(page));
    }
    return Duration.ofNanos(System.nanoTime() - begin);
  }
}
