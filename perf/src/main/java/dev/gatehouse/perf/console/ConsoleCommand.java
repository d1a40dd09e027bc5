package dev.gatehouse.perf.console;

import dev.gatehouse.perf.console.AdminBrowser.Loaded;
import dev.gatehouse.perf.harness.BenchmarkCommand;
import dev.gatehouse.perf.harness.Machine;
import dev.gatehouse.perf.harness.Markdown;
import dev.gatehouse.perf.harness.Report;
import dev.gatehouse.perf.harness.ResultsOption;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.Commands;
import dev.gatehouse.perf.server.FreePorts;
import dev.gatehouse.perf.server.GatehouseNode;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench console}. */
@Command(
    name = "console",
    mixinStandardHelpOptions = true,
    description = {
      "Measure the console's pages with many partners, clients and routes, one after the other, and then with many people who have",
      "a session each and open a random page every few seconds: no session may be lost, and no page may fail."
    })
public final class ConsoleCommand implements Callable<Integer> {

  private static final double WANTED_MILLIS = 200;
  private static final double WANTED_LIST_MILLIS = 100;
  private static final int WARM_UP = 30;
  private static final int MEASURED = 31;
  private static final String REALMS = "/console/realms";
  private static final List<String> LISTS =
      List.of(
          REALMS + "/partners/partners", REALMS + "/partners/partners?page=77", REALMS + "/partners/partners?q=partner99",
          REALMS + "/clients/clients", REALMS + "/routes/routes?q=route99");
  private static final List<String> PAGES =
      List.of(
          "/console/", REALMS, REALMS + "/partners", REALMS + "/routes/route?name=route7", REALMS + "/partners/add/saml",
          "/console/revisions", "/console/audit");

  @Option(names = "--entries", paramLabel = "N", defaultValue = "10000", description = "Partners, clients and routes, of each as many (${DEFAULT-VALUE}).")
  int entries;

  @Option(names = "--sessions", paramLabel = "N", defaultValue = "500", description = "Sessions at once (${DEFAULT-VALUE}).")
  int sessions;

  @Option(names = "--seconds", paramLabel = "N", defaultValue = "30", description = "Duration of the load (${DEFAULT-VALUE}).")
  int seconds;

  @Mixin ResultsOption output = new ResultsOption();

  @Spec CommandSpec spec = CommandSpec.create();

  /** A page that one person opened again and again. */
  record PageTime(String path, int kilobytes, double medianMillis, double worstMillis, double wantedMillis) {}

  /** What many people saw at once. */
  record Crowd(int sessions, int pages, int failed, double medianMillis, double p95Millis, double p99Millis, int sessionsLost) {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    Instant start = Instant.now();
    Path folder = Files.createTempDirectory("gatehouse-console-");
    GatehouseNode.Configured configured = configure(folder);
    Build build = Build.here();
    List<PageTime> pages = new ArrayList<>();
    Crowd crowd;
    try (GatehouseNode node = configured.start(build).await();
        HttpClient http = HttpClient.newHttpClient()) {
      String printed = Commands.output(build.command("keys", "admin", "--name", "bench", "--config", configured.config().toString()));
      String key = printed.lines().filter(line -> line.startsWith("gha_")).findFirst().orElseThrow(() -> new IOException(printed));
      String origin = "http://127.0.0.1:" + configured.adminPort();
      AdminBrowser one = AdminBrowser.loggedIn(http, origin, key);
      for (String path : PAGES) {
        pages.add(time(one, path, WANTED_MILLIS));
      }
      for (String path : LISTS) {
        pages.add(time(one, path, WANTED_LIST_MILLIS));
      }
      pages.forEach(System.err::println);
      crowd = crowd(http, origin, key);
      System.err.println(crowd);
    }
    List<String> failures = new ArrayList<>();
    pages.stream().filter(page -> page.medianMillis() > page.wantedMillis()).forEach(page -> failures.add("slower than wanted: " + page));
    if (crowd.failed() > 0 || crowd.sessionsLost() > 0) {
      failures.add(crowd.toString());
    }
    Report report =
        new Report(
            "console", BenchmarkCommand.command(spec), Report.commitHere(), start, Machine.here(),
            Map.of("entries", String.valueOf(entries), "sessions", String.valueOf(sessions)), List.of(), List.of(pages, List.of(crowd)), failures);
    System.out.println(report.write(output.results, conclusions(pages, crowd)));
    return failures.isEmpty() ? 0 : 1;
  }

  private GatehouseNode.Configured configure(Path folder) throws IOException {
    List<Integer> ports = List.of(FreePorts.take(), FreePorts.take(), FreePorts.take());
    String idp = "idp: {publicUrl: \"http://127.0.0.1:%d\"}\n".formatted(ports.get(0)) + GatehouseNode.directory(ports.get(2), "");
    String sp =
        "sp: {publicUrl: \"http://127.0.0.1:%d\", identityProvider: \"urn:idp\"}\n".formatted(ports.get(1))
            + "partners: [{entityId: \"urn:idp\", metadata: \"http://127.0.0.1:1/idp\"}]\n";
    // A realm's file has at most 1 MB.
    Map<String, String> realms =
        Map.of(
            "partners", idp + list("partners", "{entityId: \"urn:partner%1$d\", metadata: {url: \"http://127.0.0.1:1/%1$d\"}}"),
            "clients", idp + list("clients", "{clientId: client%1$d, redirectUris: [\"https://client%1$d.example.org/\"]}"),
            "routes", sp + list("routes", "{name: route%1$d, path: /route%1$d/, upstream: \"http://127.0.0.1:1\"}"));
    String listeners =
        "idp: [{address: 127.0.0.1, port: %d}]\n  gateway: [{address: 127.0.0.1, port: %d}]".formatted(ports.get(0), ports.get(1));
    return GatehouseNode.configure("node", folder, "[idp, sp, gateway]", listeners, "", ports.get(1), realms);
  }

  private String list(String name, String entry) {
    StringBuilder list = new StringBuilder(name + ":\n");
    for (int i = 0; i < entries; i++) {
      list.append("  - ").append(entry.formatted(i)).append('\n');
    }
    return list.toString();
  }

  private static PageTime time(AdminBrowser browser, String path, double wanted) throws IOException, InterruptedException {
    for (int i = 0; i < WARM_UP; i++) {
      ok(browser, path);
    }
    double[] millis = new double[MEASURED];
    int bytes = 0;
    for (int i = 0; i < MEASURED; i++) {
      Loaded page = ok(browser, path);
      millis[i] = page.millis();
      bytes = page.bytes();
    }
    Arrays.sort(millis);
    return new PageTime(path, bytes / 1024, millis[MEASURED / 2], millis[MEASURED - 1], wanted);
  }

  private static Loaded ok(AdminBrowser browser, String path) throws IOException, InterruptedException {
    Loaded page = browser.load(path);
    if (page.status() != 200) {
      throw new IOException(path + ": status " + page.status());
    }
    return page;
  }

  /** Each person opens a page about every five seconds. */
  private Crowd crowd(HttpClient http, String origin, String key) throws IOException, InterruptedException {
    List<AdminBrowser> browsers = new ArrayList<>();
    for (int i = 0; i < sessions; i++) {
      browsers.add(AdminBrowser.loggedIn(http, origin, key));
    }
    List<String> paths = new ArrayList<>(PAGES);
    paths.addAll(LISTS);
    ConcurrentLinkedQueue<Double> times = new ConcurrentLinkedQueue<>();
    AtomicInteger failed = new AtomicInteger();
    long end = System.nanoTime() + seconds * 1_000_000_000L;
    List<Thread> people = browsers.stream().map(browser -> Thread.startVirtualThread(() -> browse(browser, paths, end, times, failed))).toList();
    for (Thread person : people) {
      person.join();
    }
    int lost = 0;
    for (AdminBrowser browser : browsers) {
      lost += browser.load("/console/realms").status() == 200 ? 0 : 1;
    }
    double[] sorted = times.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return new Crowd(sessions, sorted.length, failed.get(), at(sorted, 0.5), at(sorted, 0.95), at(sorted, 0.99), lost);
  }

  private static void browse(
      AdminBrowser browser, List<String> paths, long end, ConcurrentLinkedQueue<Double> times, AtomicInteger failed) {
    RandomGenerator random = RandomGenerator.getDefault();
    try {
      Thread.sleep(random.nextInt(5000));
      while (System.nanoTime() < end) {
        try {
          Loaded page = browser.load(paths.get(random.nextInt(paths.size())));
          times.add(page.millis());
          if (page.status() != 200) {
            failed.incrementAndGet();
          }
        } catch (IOException e) {
          failed.incrementAndGet();
        }
        Thread.sleep(2500 + random.nextInt(5000));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static double at(double[] sorted, double share) {
    return sorted.length == 0 ? 0 : sorted[Math.min(sorted.length - 1, (int) (sorted.length * share))];
  }

  private static String conclusions(List<PageTime> pages, Crowd crowd) {
    Markdown table = Markdown.table("page | KB | median ms | worst ms | wanted ms");
    pages.forEach(page -> table.row("%s | %d | %.1f | %.1f | %.0f", page.path(), page.kilobytes(), page.medianMillis(), page.worstMillis(), page.wantedMillis()));
    Markdown many = Markdown.table("sessions at once | pages | failed | median ms | 95 % ms | 99 % ms | sessions lost");
    many.row("%d | %d | %d | %.1f | %.1f | %.1f | %d", crowd.sessions(), crowd.pages(), crowd.failed(), crowd.medianMillis(), crowd.p95Millis(), crowd.p99Millis(), crowd.sessionsLost());
    return table.toString() + "\n" + many;
  }
}
