package dev.gatehouse.common.faults;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Configurations that an administrator applies at a node, and the time until a page of every node shows them. */
final class Configurations implements AutoCloseable {

  private static final Pattern IN_USE = Pattern.compile("\"inUse\":(\\d+)");
  private static final Duration LONGEST = Duration.ofSeconds(30);
  private static final int LOOK_MILLIS = 5;
  private static final int MOST_WORDS = 500;

  private final Site site;
  private final Ledger ledger;
  private final String key;
  private final SingleNodes pages;
  private final HttpClient client = HttpClient.newHttpClient();
  private final Visitor nobody;
  private String name = "";
  private int count;

  private Configurations(Site site, Ledger ledger, String key) {
    this.site = site;
    this.ledger = ledger;
    this.key = key;
    Requests requests = new Requests();
    this.pages = new SingleNodes(site.realm(), site.idpPorts(), requests);
    this.nobody = new Visitor(client, requests);
  }

  /** Makes a key of an administrator, by the command. */
  static Configurations of(Site site, Ledger ledger) throws IOException, InterruptedException {
    String folder = site.plans().getFirst().folder().toString();
    Process made =
        new ProcessBuilder(site.plan().program().command("keys", "admin", "--name", "bench" + System.nanoTime(), "--config", folder))
            .redirectErrorStream(true)
            .start();
    String output = new String(made.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    made.waitFor();
    // The log has spaces.
    return new Configurations(
        site, ledger,
        output.lines().filter(line -> !line.isEmpty() && !line.contains(" ")).findFirst().orElseThrow(() -> new IOException(output)));
  }

  /** Applies one at a node; returns when that was acknowledged. */
  long apply(int node) throws IOException, InterruptedException {
    Matcher inUse = IN_USE.matcher(rest(node, HttpRequest.newBuilder().GET(), "revisions?limit=1").body());
    if (!inUse.find()) {
      throw new IOException("Node " + node + " does not say which revision is in use.");
    }
    name = "Office-" + ++count + "-" + System.nanoTime();
    // The copy of the revision in use: secrets of the imported file are in the database.
    String present = Files.readString(site.plans().get(node).folder().resolve("data/configuration/realms/office.yaml"));
    String realm = "brand: {displayName: " + name + "}\n" + present.replaceAll("(?m)^brand:.*\\n", "");
    String body =
        "{\"complete\": false, \"reason\": \"measured\", \"files\": [{\"path\": \"realms/office.yaml\", \"base64\": \""
            + Base64.getEncoder().encodeToString(realm.getBytes(StandardCharsets.UTF_8)) + "\"}]}";
    HttpResponse<String> applied =
        rest(
            node,
            HttpRequest.newBuilder()
                .header("Content-Type", "application/json")
                .header("If-Match", "\"" + inUse.group(1) + "\"")
                .POST(BodyPublishers.ofString(body)),
            "revisions");
    if (applied.statusCode() / 100 != 2) {
      String why = applied.body().substring(0, Math.min(MOST_WORDS, applied.body().length()));
      throw new IOException("The configuration was not applied: " + applied.statusCode() + " " + why);
    }
    return System.nanoTime();
  }

  private HttpResponse<String> rest(int node, HttpRequest.Builder request, String path) throws IOException, InterruptedException {
    int port = site.plans().get(node).ports().admin();
    return client.send(
        request.uri(URI.create("http://127.0.0.1:" + port + "/admin/v1/" + path)).header("Authorization", "Bearer " + key).build(),
        BodyHandlers.ofString());
  }

  @Override
  public void close() {
    client.close();
  }

  /** Waits until every node serves what was applied last, and keeps how long that took. */
  void awaitServed(long sinceNanos) throws InterruptedException {
    List<Integer> behind = new ArrayList<>(IntStream.range(0, pages.size()).boxed().toList());
    while (System.nanoTime() - sinceNanos < LONGEST.toNanos()) {
      behind.removeIf(node -> pages.get(node, "/realms/office/logout", nobody).filter(page -> page.shows(name)).isPresent());
      if (behind.isEmpty()) {
        ledger.served(Duration.ofNanos(System.nanoTime() - sinceNanos));
        return;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
    ledger.unexpected("Nodes " + behind + " do not serve the configuration " + LONGEST.toSeconds() + " s after they could.");
  }
}
