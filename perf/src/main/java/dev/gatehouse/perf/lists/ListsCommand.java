package dev.gatehouse.perf.lists;

import dev.gatehouse.common.store.RocksStores;
import dev.gatehouse.perf.harness.BenchmarkCommand;
import dev.gatehouse.perf.harness.Machine;
import dev.gatehouse.perf.harness.Markdown;
import dev.gatehouse.perf.harness.Report;
import dev.gatehouse.perf.harness.ResultsOption;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.Commands;
import dev.gatehouse.perf.server.FreePorts;
import dev.gatehouse.perf.server.GatehouseNode;
import dev.gatehouse.perf.sessions.SessionKind;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code bench lists}. */
@Command(
    name = "lists",
    mixinStandardHelpOptions = true,
    description = {
      "Start a node with many partners, clients, routes and sessions, and read each of their lists by REST, page by page.",
      "The first page after the start is reported by itself; then every list is read twice."
    })
public final class ListsCommand implements Callable<Integer> {

  private static final double WANTED_MILLIS = 100;

  @Option(names = "--entries", paramLabel = "N", defaultValue = "10000",
      description = "Partners, clients, routes, and sessions of each kind (${DEFAULT-VALUE}).")
  int entries;

  @Mixin ResultsOption output = new ResultsOption();

  @Spec CommandSpec spec = CommandSpec.create();

  /** The pages of a list. */
  record Read(String list, int entries, int pages, double firstMillis, double medianMillis, double maxMillis) {}

  private static Map<String, String> lists() {
    Map<String, String> lists = new LinkedHashMap<>();
    lists.put("partners with the state of their metadata", "realms/partners/partners?");
    lists.put("routes", "realms/demo/routes?");
    lists.put("partners with their keys", "configuration/realms/partners/partners?");
    lists.put("clients with their keys", "configuration/realms/clients/clients?");
    lists.put("routes with their keys", "configuration/realms/demo/routes?");
    lists.put("sessions at the identity provider", "realms/demo/sessions/idp?");
    lists.put("sessions at the gateway", "realms/demo/sessions/app?");
    return lists;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Instant start = Instant.now();
    List<Read> read = measure(Build.here());
    List<String> failures = new ArrayList<>();
    read.stream().filter(list -> list.maxMillis() > WANTED_MILLIS).forEach(list -> failures.add("more than 100 ms: " + list));
    read.stream().filter(list -> list.entries() < entries).forEach(list -> failures.add("entries are missing: " + list));
    Report report =
        new Report(
            "lists", BenchmarkCommand.command(spec), Report.commitHere(), start, Machine.here(),
            Map.of("entries", String.valueOf(entries)), List.of(), List.of(read), failures);
    System.out.println(report.write(output.results, conclusions(read)));
    return failures.isEmpty() ? 0 : 1;
  }

  private List<Read> measure(Build build) throws IOException, InterruptedException {
    int port = FreePorts.take();
    int gateway = FreePorts.take();
    String listeners =
        "idp: [{address: 127.0.0.1, port: " + port + "}]\n  gateway: [{address: 127.0.0.1, port: " + gateway + "}]";
    GatehouseNode.Configured configured =
        GatehouseNode.configure(
            "node", Files.createTempDirectory("gatehouse-lists-"), "[idp, sp, gateway]", listeners, "", port,
            new LongRealms(entries, port, gateway).files());
    configured.start(build).await().close();
    fill(configured.data());
    List<Read> read = new ArrayList<>();
    try (GatehouseNode node = configured.start(build).await();
        HttpClient http = HttpClient.newHttpClient()) {
      String key = key(build, node.configured());
      for (Map.Entry<String, String> list : lists().entrySet()) {
        read.add(read(http, configured, key, list));
        System.err.println(read.getLast());
      }
    }
    return read;
  }

  /** Opens the sessions in the store of the stopped node. */
  private void fill(Path data) {
    try (RocksStores stores = new RocksStores(data, InstantSource.system())) {
      SessionKind.IDP.fill(stores, entries, Instant.now());
      SessionKind.GATEWAY.fill(stores, entries, Instant.now());
    }
  }

  private static String key(Build build, GatehouseNode.Configured node) throws IOException, InterruptedException {
    String printed = Commands.output(build.command("keys", "admin", "--name", "bench", "--config", node.config().toString()));
    return printed.lines().filter(line -> line.startsWith("gha_")).findFirst().orElseThrow(() -> new IOException(printed));
  }

  private static Read read(HttpClient http, GatehouseNode.Configured node, String key, Map.Entry<String, String> list)
      throws IOException, InterruptedException {
    List<Double> millis = new ArrayList<>();
    int found = 0;
    for (int round = 0; round < 2; round++) {
      found = 0;
      Optional<String> after = Optional.of("");
      while (after.isPresent()) {
        String query = "after=" + URLEncoder.encode(after.get(), StandardCharsets.UTF_8);
        URI address = URI.create("http://127.0.0.1:" + node.adminPort() + "/admin/v1/" + list.getValue() + query);
        long begun = System.nanoTime();
        HttpResponse<byte[]> response =
            http.send(HttpRequest.newBuilder(address).header("Authorization", "Bearer " + key).build(), BodyHandlers.ofByteArray());
        millis.add((System.nanoTime() - begun) / 1e6);
        if (response.statusCode() != 200) {
          throw new IOException(address + ": status " + response.statusCode());
        }
        JsonNode page = Report.JSON.readTree(response.body());
        found += page.valueStream().filter(JsonNode::isArray).findFirst().orElseThrow().size();
        after = Optional.of(page.path("next").asString("")).filter(next -> !next.isEmpty());
      }
    }
    List<Double> sorted = millis.stream().sorted().toList();
    return new Read(list.getKey(), found, millis.size(), millis.getFirst(), sorted.get(sorted.size() / 2), sorted.getLast());
  }

  private static String conclusions(List<Read> read) {
    Markdown table = Markdown.table("list | entries | pages of 100 read | first, ms | median, ms | slowest, ms (wanted: 100)");
    for (Read r : read) {
      table.row("%s | %,d | %d | %.1f | %.1f | %.1f", r.list(), r.entries(), r.pages(), r.firstMillis(), r.medianMillis(), r.maxMillis());
    }
    return table.toString();
  }
}
