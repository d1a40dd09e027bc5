package dev.gatehouse.perf.plan;

import dev.gatehouse.perf.harness.Report;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/**
 * Measured costs of one piece of work each, from the results of benchmarks.
 *
 * @param loginIdp CPU seconds of the identity provider for a login with its logout
 * @param loginSp the same of the node with the roles sp and gateway
 * @param loginDirectory the same of slapd
 * @param cachedPage CPU seconds for a protected page from the cache
 * @param passedPage CPU seconds for a protected page from the app
 * @param idpSession what a session takes at the identity provider
 * @param appSession what a session takes at the gateway
 * @param sources which runs measured them
 */
record Costs(
    double loginIdp, double loginSp, double loginDirectory, double cachedPage, double passedPage, SessionBytes idpSession,
    SessionBytes appSession, List<Source> sources) {

  /** The scenario of FIGURES S1 with which the historical reports begin. */
  static final String LOGIN = "SP, transient, POST, HTTP logout";

  /** What one session takes with embedded storage. */
  record SessionBytes(double resident, double disk) {}

  /** A file of results. */
  record Source(String file, String command, String commit, String processor) {}

  /** Reads the results in a folder. */
  static Costs read(Path results) {
    List<Source> sources = new ArrayList<>();
    JsonNode saml = file(results, "saml", sources);
    JsonNode gateway = file(results, "gateway", sources);
    JsonNode sessions = file(results, "sessions", sources);
    JsonNode login = last(saml.path("rounds"), round -> round.path("scenario").asString("").equals(LOGIN), "saml.json", LOGIN);
    return new Costs(
        ofServer(login, "idp"), ofServer(login, "sp"), ofServer(login, "slapd"), ofWork(gateway, "protected-page"),
        ofWork(gateway, "pass-through"), session(sessions, "identity provider"), session(sessions, "gateway"), List.copyOf(sources));
  }

  private static JsonNode file(Path results, String name, List<Source> sources) {
    Path file = results.resolve(name + ".json");
    if (!Files.isRegularFile(file)) {
      throw new IllegalArgumentException(file + " is missing; it is what ./gatehouse bench " + name + " writes");
    }
    try {
      JsonNode content = Report.JSON.readTree(Files.readString(file));
      sources.add(
          new Source(
              name + ".json", content.path("command").asString(""), content.path("commit").asString(""),
              content.path("machine").path("processor").asString("")));
      return content;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The last round is the warm one. */
  private static JsonNode last(JsonNode list, Predicate<JsonNode> chosen, String file, String what) {
    return StreamSupport.stream(list.spliterator(), false)
        .filter(chosen)
        .reduce((former, latter) -> latter)
        .orElseThrow(() -> new IllegalArgumentException(file + " has no \"" + what + "\""));
  }

  private static double ofServer(JsonNode round, String server) {
    return last(round.path("servers"), each -> each.path("server").asString("").equals(server), "saml.json", server)
            .path("cpuMsPerTransaction").asDouble(0)
        / 1000;
  }

  /** CPU seconds of our process for one request, over all steady turns. */
  private static double ofWork(JsonNode gateway, String work) {
    double cpu = 0;
    double done = 0;
    for (JsonNode window : gateway.path("seen").path("windows")) {
      boolean counts =
          window.path("work").asString("").equals(work) && window.path("phase").asString("").equals("steady")
              && window.path("server").asString("").equals("Gatehouse");
      Optional<JsonNode> cost =
          StreamSupport.stream(window.path("costs").spliterator(), false)
              .filter(each -> each.path("process").asString("").equals("gatehouse"))
              .findFirst();
      if (counts && cost.isPresent()) {
        cpu += cost.get().path("cpuSeconds").asDouble(0);
        done += window.path("done").asDouble(0);
      }
    }
    if (done == 0) {
      throw new IllegalArgumentException("gateway.json has no steady turn of \"" + work + "\"");
    }
    return cpu / done;
  }

  private static SessionBytes session(JsonNode sessions, String kind) {
    JsonNode detail = last(sessions.path("details"), each -> each.path("kind").asString("").equals(kind), "sessions.json", kind);
    double number = detail.path("sessions").asDouble(0);
    return new SessionBytes(
        (detail.path("heapBytes").asDouble(0) + detail.path("nativeBytes").asDouble(0)) / number,
        detail.path("diskBytes").asDouble(0) / number);
  }
}
