package dev.gatehouse.perf.faults;

import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.load.Answer;
import dev.gatehouse.perf.load.Browser;
import dev.gatehouse.perf.load.FilledForm;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.DemoApp;
import dev.gatehouse.perf.server.Federation;
import dev.gatehouse.perf.server.FreePorts;
import dev.gatehouse.perf.server.SlapdServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Anonymous clients begin logins from 200 addresses, 5,000 from each or as many as the time permits, at the service
 * provider and on to the identity provider; none is finished. During and after the attack a person logs in.
 */
final class AnonymousSamlStarts implements FaultCase {

  private static final int ADDRESSES = 200;
  private static final int STARTS_PER_ADDRESS = 5_000;
  private static final int PEOPLE = 10;
  private static final int MOST_STEPS = 14;
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
    Path directory = Files.createDirectories(context.work().resolve("slapd"));
    SlapdServer slapd = context.closeAtEnd(SlapdServer.start(directory, FreePorts.take(), PEOPLE, n -> {}));
    Path nodes = Files.createDirectories(context.work().resolve("nodes"));
    Federation federation =
        context.closeAtEnd(
            Federation.start(
                Build.here(), nodes, slapd.port(), PEOPLE, app.url(), "p-256", List.of(Federation.Setup.plain())));
    String page = federation.site(Federation.Setup.plain().realm()).appUrl() + PAGE;
    logIn(page, federation.idpUrl(), 1);
    long before = stored(nodes);
    context.progress("the attack begins");
    Process attacker =
        context.attack(
            AnonymousSamlStartsAttack.class,
            List.of(
                page,
                Integer.toString(ADDRESSES),
                Integer.toString(STARTS_PER_ADDRESS),
                Long.toString(context.duration().toSeconds())));
    List<Figure> figures = new ArrayList<>();
    Thread.sleep(context.duration().dividedBy(2));
    figures.add(Figure.atMost(10_000, "a login during the attack", logIn(page, federation.idpUrl(), 2).toMillis(), "ms"));
    int exit = attacker.waitFor();
    figures.addFirst(Figure.atLeast(1, "logins begun", begun(context.work()), ""));
    figures.add(Figure.holds("the attacker came to its end", exit == 0));
    figures.add(Figure.reported("size of the stores of both nodes", stored(nodes) / MEGABYTE, "MB"));
    figures.add(Figure.atMost(1, "growth of the stores of both nodes", (stored(nodes) - before) / MEGABYTE, "MB"));
    figures.add(Figure.atMost(2_000, "a login after the attack", logIn(page, federation.idpUrl(), 3).toMillis(), "ms"));
    return figures;
  }

  private static double begun(Path work) throws IOException {
    return Files.readAllLines(work.resolve("attacker.log")).stream()
        .filter(line -> line.startsWith(AnonymousSamlStartsAttack.BEGUN))
        .mapToDouble(line -> Double.parseDouble(line.substring(AnonymousSamlStartsAttack.BEGUN.length()).strip()))
        .sum();
  }

  /** Bytes of the embedded stores. */
  private static long stored(Path nodes) throws IOException {
    try (Stream<Path> files = Files.walk(nodes)) {
      return files.filter(file -> file.toString().contains("rocksdb")).mapToLong(file -> file.toFile().length()).sum();
    }
  }

  /**
   * Logs a person in, from the page through the login form back to the page; returns the duration.
   *
   * @throws IOException if the page is not reached
   */
  private static Duration logIn(String page, String idpUrl, int person) throws IOException {
    long begin = System.nanoTime();
    String appUrl = origin(page);
    try (Browser app = new Browser(URI.create(appUrl));
        Browser idp = new Browser(URI.create(idpUrl))) {
      String at = page;
      Answer answer = app.get(path(page));
      for (int step = 0; step < MOST_STEPS; step++) {
        if (answer.status() == 200 && at.equals(page)) {
          return Duration.ofNanos(System.nanoTime() - begin);
        }
        Map<String, String> typed = Map.of("username", People.name(person), "password", People.password(person));
        if (!answer.location().isEmpty()) {
          at = absolute(at, answer.location());
          answer = (at.startsWith(appUrl + "/") ? app : idp).get(path(at));
        } else {
          FilledForm form = FilledForm.of(answer.body(), typed);
          String from = origin(at);
          at = absolute(at, form.target());
          answer = (at.startsWith(appUrl + "/") ? app : idp).post(path(at), form.body(), from);
        }
      }
      throw new IOException("the page was not reached; at " + path(at) + ": " + answer.status());
    }
  }

  private static String absolute(String at, String address) {
    return address.startsWith("/") ? origin(at) + address : address;
  }

  private static String origin(String url) {
    return url.substring(0, url.indexOf('/', "https://".length()));
  }

  private static String path(String url) {
    return url.substring(url.indexOf('/', "https://".length()));
  }
}
