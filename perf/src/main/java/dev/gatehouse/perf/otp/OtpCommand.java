package dev.gatehouse.perf.otp;

import dev.gatehouse.perf.harness.BenchmarkCommand;
import dev.gatehouse.perf.harness.ClosedLoad;
import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.harness.Load;
import dev.gatehouse.perf.harness.Options;
import dev.gatehouse.perf.harness.Run;
import dev.gatehouse.perf.otp.AgentUser.Proof;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.ServerProcess;
import dev.gatehouse.perf.server.SlapdServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench otp}. */
@Command(
    name = "otp",
    description = {
      "Measure TOTP authentications by RADIUS (PAP over UDP) and by REST at one node with durable embedded storage and people in slapd: per CPU",
      "second of the node's process, by the number of people, with the PIN's hash and with the hash put aside by",
      "perf/patches/no-pin-hash.patch, and the bytes on the wire; by REST at a realm that asks the person's home; and the import of people from",
      "slapd. Needs slapd. Takes 30 minutes, 6 with --short."
    })
public final class OtpCommand extends BenchmarkCommand {

  /** PINs wait for a processor, and not for long. */
  private static final int HASHING_CALLERS = 4;

  @Option(names = "--people", paramLabel = "N", split = ",", defaultValue = "100000,500000,1000000",
      description = "Numbers of people (${DEFAULT-VALUE}).")
  List<Integer> people = List.of();

  @Option(names = "--way", paramLabel = "WAY", split = ",",
      description = "Run only these ways in; default: all. An unknown name prints the list.")
  List<String> ways = List.of();

  @Option(names = "--callers", paramLabel = "N", defaultValue = "32", description = "Concurrent callers (${DEFAULT-VALUE}).")
  int callers;

  @Option(names = "--warm-up", paramLabel = "SECONDS", defaultValue = "30", description = "Warm-up of each row (${DEFAULT-VALUE}).")
  int warmUp;

  @Option(names = "--pin-hash-aside-in", paramLabel = "DIR",
      description = "A checkout to which perf/patches/no-pin-hash.patch was applied already; otherwise one is made.")
  Path aside = Path.of("");

  @Option(names = "--import", paramLabel = "N", defaultValue = "50000",
      description = "People of slapd whom the way 'people' imports (${DEFAULT-VALUE}).")
  int imported;

  @Option(names = "--short", description = "100,000 people only; two rounds of 5 s after a warm-up of 10 s.")
  boolean isShort;

  private final WireBytes radiusBytes = new WireBytes();
  private Optional<PeopleImport.Times> importTimes = Optional.empty();

  public OtpCommand() {
    super(new Options(5, 8));
  }

  @Override
  protected void measure(Run run) throws IOException, InterruptedException {
    if (isShort) {
      people = List.of(100_000);
      warmUp = 10;
      options.rounds = 2;
      options.seconds = 5;
    }
    List<Way> chosen = new ArrayList<>(chosen(ways, Way.values(), Way::word));
    if (chosen.remove(Way.PEOPLE)) {
      importTimes = Optional.of(PeopleImport.measure(run.work(), imported));
    }
    if (!chosen.isEmpty()) {
      authentications(run, chosen);
    }
  }

  private void authentications(Run run, List<Way> chosen) throws IOException, InterruptedException {
    int most = people.stream().max(Comparator.naturalOrder()).orElseThrow();
    Build patched =
        aside.toString().isEmpty()
            ? Build.patched(Build.here().home().resolve("perf/patches/no-pin-hash.patch"), run.work().resolve("patched"))
            : Build.other(aside);
    ServerProcess slapd = run.closeAtEnd(SlapdServer.start(run.work(), most));
    if (chosen.contains(Way.PIN_HASH)) {
      withHash(run, slapd);
    }
    List<Load> rows = new ArrayList<>();
    for (int number : people) {
      Path folder = Files.createDirectories(run.work().resolve("people-" + number));
      OtpServer server = run.closeAtEnd(OtpServer.start(patched, OtpServer.ASIDE, folder, slapd, number));
      List<PeopleInTurn> turns = PeopleInTurn.of(callers, number);
      for (Way way : chosen) {
        if (way != Way.PIN_HASH && way != Way.VISITORS) {
          rows.addAll(warmUp(run, server, way, turns));
        }
      }
    }
    if (chosen.contains(Way.VISITORS)) {
      int number = people.getFirst();
      TwoRealms realms = run.closeAtEnd(TwoRealms.start(patched, Files.createDirectories(run.work().resolve("realms")), slapd, number));
      rows.addAll(warmUp(run, realms.visited(), Way.VISITORS, PeopleInTurn.of(callers, number)));
    }
    run.measure(rows, options.rounds, options.seconds);
  }

  /** Few people: an authentication with its hash takes hundreds of times as long. */
  private void withHash(Run run, ServerProcess slapd) throws IOException, InterruptedException {
    int few = Math.min(10_000, people.getFirst());
    Path folder = Files.createDirectories(run.work().resolve("pin-hash"));
    try (OtpServer server = OtpServer.start(Build.here(), OtpServer.OURS, folder, slapd, few)) {
      run.measure(warmUp(run, server, Way.PIN_HASH, PeopleInTurn.of(Math.min(callers, HASHING_CALLERS), few)), options.rounds, options.seconds);
    }
  }

  /** @param turns the people of each caller: a code that was used by one way does not count by another */
  private List<Load> warmUp(Run run, OtpServer server, Way way, List<PeopleInTurn> turns) throws InterruptedException {
    String row = way.row(server.people());
    return run.warmUp(
        server.server().name() + ", " + row,
        () -> ClosedLoad.open(server.server(), row, turns.size(), user -> user(server, way, turns.get(user))),
        warmUp);
  }

  private ClosedLoad.User user(OtpServer server, Way way, PeopleInTurn people) throws IOException {
    return switch (way) {
      case PIN_HASH, RADIUS -> new RadiusUser(server.ports().radius(), people, radiusBytes);
      case PEOPLE -> throw new IllegalStateException("a synchronisation is no authentication");
      case REST_CERTIFICATE -> new AgentUser(server.url(Proof.CERTIFICATE), server.agentKey(), Proof.CERTIFICATE, people, "");
      case REST_ASSERTION -> new AgentUser(server.url(Proof.ASSERTION), server.agentKey(), Proof.ASSERTION, people, "");
      case VISITORS ->
          new AgentUser(server.url(Proof.CERTIFICATE), server.agentKey(), Proof.CERTIFICATE, people, "@" + TwoRealms.HOME);
    };
  }

  /** How passcodes come in. */
  enum Way {
    /** At the build that hashes. */
    PIN_HASH("pin-hash", "RADIUS PAP"),
    RADIUS("radius", "RADIUS PAP"),
    REST_CERTIFICATE("certificate", "REST by certificate"),
    REST_ASSERTION("assertion", "REST by assertion"),
    /** At a node that asks another one. */
    VISITORS("visitors", "Cross-realm, REST by certificate"),
    /** Not an authentication: the first synchronisation of the register of people. */
    PEOPLE("people", "import of people");

    private final String word;
    private final String title;

    Way(String word, String title) {
      this.word = word;
      this.title = title;
    }

    String word() {
      return word;
    }

    String row(int people) {
      return String.format(Locale.ROOT, "%s, %,d people", title, people);
    }
  }

  /** @param radiusBytes on the wire of one authentication */
  record Wire(double radiusBytes) {}

  @Override
  protected List<?> details() {
    List<Object> details = new ArrayList<>(importTimes.stream().toList());
    if (radiusBytes.each() > 0) {
      details.add(new Wire(radiusBytes.each()));
    }
    return details;
  }

  @Override
  protected void addSettings(Map<String, String> settings) {
    settings.put("Callers", Integer.toString(callers));
    settings.put("Warm-up of each row", warmUp + " s");
  }

  @Override
  protected String conclusions(List<Iteration> iterations) {
    return new OtpConclusions(iterations, radiusBytes.each(), importTimes).markdown();
  }
}
