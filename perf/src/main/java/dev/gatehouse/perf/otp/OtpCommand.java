package dev.gatehouse.perf.otp;

import dev.gatehouse.perf.harness.BenchmarkCommand;
import dev.gatehouse.perf.harness.ClosedLoad;
import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.harness.Load;
import dev.gatehouse.perf.harness.Options;
import dev.gatehouse.perf.harness.Run;
import dev.gatehouse.perf.otp.AgentUser.Proof;
import dev.gatehouse.perf.otp.OtpPeople.PinHash;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.ServerProcess;
import dev.gatehouse.perf.server.SlapdServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench otp}. */
@Command(
    name = "otp",
    description = {
      "Measure TOTP authentications by RADIUS (PAP over UDP) and by REST at one node with durable embedded storage and people in slapd: per CPU",
      "second of the node's process, by the number of people, with the PIN's hash and with the hash put aside by",
      "perf/patches/no-pin-hash.patch, and the bytes on the wire; with offline days; by REST at a realm that asks the person's home; logins by",
      "passkey; and the import of people from slapd. `--way mix` is a realm in its everyday work for an hour, whose database and log are compared",
      "with what it acknowledged. Several servers are `bench otp-servers`. Needs slapd. Takes an hour, 15 minutes with --short."
    })
public final class OtpCommand extends BenchmarkCommand {

  /** In the titles of ways with days without a server. */
  static final String OFFLINE = " offline days";

  /** As many as half a million rows of passkeys and handles need. */
  private static final int MOST_WITH_PASSKEYS = 100_000;

  /** Numbers of events, as in the published figures. */
  private static final List<Integer> LOGS = List.of(500_000, 1_000_000);

  /** PINs wait for a processor, and not for long. */
  private static final int HASHING_CALLERS = 4;

  @Option(names = "--people", paramLabel = "N", split = ",", defaultValue = "100000,500000,1000000",
      description = "Numbers of people (${DEFAULT-VALUE}).")
  List<Integer> people = List.of();

  @Option(names = "--way", paramLabel = "WAY", split = ",",
      description = "Run only these ways in; default: all but the mix. An unknown name prints the list.")
  List<String> ways = List.of();

  @Option(names = "--callers", paramLabel = "N", defaultValue = "32", description = "Concurrent callers (${DEFAULT-VALUE}).")
  int callers;

  @Option(names = "--warm-up", paramLabel = "SECONDS", defaultValue = "30", description = "Warm-up of each row (${DEFAULT-VALUE}).")
  int warmUp;

  @Option(names = "--pin-hash-aside-in", paramLabel = "DIR", split = ",",
      description = {
        "A checkout to which perf/patches/no-pin-hash.patch was applied already; otherwise one is made. With --against, another",
        "one for that build."
      })
  List<Path> asides = List.of();

  @Option(names = "--import", paramLabel = "N", defaultValue = "50000",
      description = "People of slapd whom the way 'people' imports (${DEFAULT-VALUE}).")
  int imported;

  @Option(names = "--minutes", paramLabel = "N", defaultValue = "60", description = "Duration of the mix (${DEFAULT-VALUE}).")
  int minutes;

  @Option(names = "--administrators", paramLabel = "N", defaultValue = "650",
      description = "Administrators who look at pages during the mix (${DEFAULT-VALUE}).")
  int administrators;

  @Option(names = "--mix-with-pin-hash", description = "The mix at this build, and not at the one that puts the hash of PINs aside.")
  boolean mixWithHash;

  @Option(names = "--short", description = "100,000 people only; two rounds of 5 s after a warm-up of 10 s.")
  boolean isShort;

  private final Map<Way, WireBytes> bytes = new EnumMap<>(Way.class);
  private final Map<Build, Build> withoutHash = new HashMap<>();
  private Optional<PeopleImport.Times> importTimes = Optional.empty();
  private final List<LogKeeping.Times> logTimes = new ArrayList<>();
  private Optional<OtpMix.Measured> mix = Optional.empty();

  public OtpCommand() {
    super(new Options(5, 8));
    Arrays.stream(Way.values()).forEach(way -> bytes.put(way, new WireBytes()));
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
    if (chosen.remove(Way.LOG)) {
      for (int events : LOGS) {
        logTimes.add(LogKeeping.measure(run.work(), events));
      }
    }
    boolean isMixed = chosen.remove(Way.MIX) && !ways.isEmpty();
    if (!chosen.isEmpty() || isMixed) {
      ServerProcess slapd = run.closeAtEnd(SlapdServer.start(run.work(), people.stream().max(Comparator.naturalOrder()).orElseThrow()));
      if (isMixed) {
        mix(run, slapd);
      }
      authentications(run, slapd, chosen);
    }
  }

  private void mix(Run run, ServerProcess slapd) throws IOException, InterruptedException {
    Build build = mixWithHash ? Build.here() : withoutHash(run, Build.here());
    PinHash hash = mixWithHash ? PinHash.ARGON2ID : PinHash.ASIDE;
    OtpMix.Measured measured =
        OtpMix.measure(run, build, hash, slapd, people.getFirst(), callers, administrators, Duration.ofMinutes(minutes));
    mix = Optional.of(measured);
    if (!measured.ledger().isWhole() || !measured.unexpected().isEmpty()) {
      run.fail("the mix", new IOException(measured.ledger() + " " + measured.unexpected()));
    }
  }

  private void authentications(Run run, ServerProcess slapd, List<Way> chosen) throws IOException, InterruptedException {
    List<Load> rows = new ArrayList<>();
    for (Build build : builds()) {
      rows.addAll(passkeys(run, build, slapd, chosen));
      if (chosen.contains(Way.PIN_HASH)) {
        rows.addAll(withHash(run, build, slapd));
      }
      if (chosen.stream().anyMatch(way -> way.hash == PinHash.ASIDE)) {
        rows.addAll(withoutHash(run, build, slapd, chosen));
      }
    }
    run.measure(rows, options.rounds, options.seconds);
  }

  private List<Load> withoutHash(Run run, Build build, ServerProcess slapd, List<Way> chosen) throws IOException, InterruptedException {
    Build patched = withoutHash(run, build);
    List<OtpServer> servers = new ArrayList<>();
    for (int number : people) {
      String name = isComparison() ? build.name() : OtpServer.ASIDE;
      servers.add(run.closeAtEnd(OtpServer.start(patched, name, folder(run, build, "people-" + number), slapd, number, PinHash.ASIDE)));
    }
    // Now, so that the data of all settle at once.
    List<TwoRealms> realms = new ArrayList<>();
    if (chosen.contains(Way.VISITORS)) {
      String name = isComparison() ? build.name() : TwoRealms.NAME;
      realms.add(run.closeAtEnd(TwoRealms.start(patched, name, folder(run, build, "realms"), slapd, people.getFirst())));
    }
    List<Load> rows = new ArrayList<>();
    for (OtpServer server : servers) {
      List<PeopleInTurn> turns = PeopleInTurn.of(callers, server.people());
      for (Way way : chosen) {
        boolean isOfAllSizes = !way.title.contains(OFFLINE);
        if (way.hash == PinHash.ASIDE && way != Way.VISITORS && (isOfAllSizes || server == servers.getFirst())) {
          rows.addAll(warmUp(run, server.settle(), way, turns));
        }
      }
    }
    for (TwoRealms each : realms) {
      rows.addAll(warmUp(run, each.visited().settle(), Way.VISITORS, PeopleInTurn.of(callers, people.getFirst())));
    }
    return rows;
  }

  private Build withoutHash(Run run, Build build) throws IOException, InterruptedException {
    int number = builds().indexOf(build);
    if (number < asides.size()) {
      return Build.other(asides.get(number));
    }
    Build known = withoutHash.get(build);
    if (known != null) {
      return known;
    }
    Path checkout = folder(run, build, "patched").resolve("checkout");
    Build made = build.with(build.home().resolve("perf/patches/no-pin-hash.patch"), checkout);
    withoutHash.put(build, made);
    return made;
  }

  private static Path folder(Run run, Build build, String name) throws IOException {
    return Files.createDirectories(folder(run, build).resolve(name));
  }

  private List<Load> passkeys(Run run, Build build, ServerProcess slapd, List<Way> chosen) throws IOException, InterruptedException {
    List<Way> ways = chosen.stream().filter(way -> way.kind.isPresent()).toList();
    List<Load> rows = new ArrayList<>();
    if (!ways.isEmpty()) {
      int number = Math.min(MOST_WITH_PASSKEYS, people.getFirst());
      PasskeyServer server = run.closeAtEnd(PasskeyServer.start(build, folder(run, build, "passkeys"), slapd, number));
      int each = number / callers;
      for (Way way : ways) {
        String row = way.row(number);
        PasskeyUser.Part part = way == Way.PASSKEY_LOGIN ? PasskeyUser.Part.LOGIN : PasskeyUser.Part.ASSERTION;
        // A login and an assertion by one key count its signatures.
        SoftPasskey passkey = server.passkey(way.kind.orElseThrow());
        int first = way == Way.PASSKEY_LOGIN ? 1 + number / 2 : 1;
        int half = Math.max(1, each / 2);
        rows.addAll(
            run.warmUp(
                build.name() + ", " + row,
                () ->
                    ClosedLoad.open(
                        server.server(), row, callers, user -> new PasskeyUser(server, passkey, part, first + user * half, half)),
                warmUp));
      }
    }
    return rows;
  }

  /** Few people: an authentication with its hash takes hundreds of times as long. */
  private List<Load> withHash(Run run, Build build, ServerProcess slapd) throws IOException, InterruptedException {
    int few = Math.min(10_000, people.getFirst());
    OtpServer server = run.closeAtEnd(OtpServer.start(build, build.name(), folder(run, build, "pin-hash"), slapd, few, PinHash.ARGON2ID));
    return warmUp(run, server, Way.PIN_HASH, PeopleInTurn.of(Math.min(callers, HASHING_CALLERS), few));
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
      case PIN_HASH, RADIUS -> new RadiusUser(server.ports().radius(), people, Objects.requireNonNull(bytes.get(way)));
      case OFFLINE_1, OFFLINE_3, OFFLINE_30 -> new OfflineUser(server, way.days(), false, people, Objects.requireNonNull(bytes.get(way)));
      case OFFLINE_LOG -> new OfflineUser(server, way.days(), true, people, Objects.requireNonNull(bytes.get(way)));
      case PEOPLE, LOG, MIX, PASSKEY, PASSKEY_EDDSA, PASSKEY_RS256, PASSKEY_LOGIN -> throw new IllegalStateException(way + " has no passcodes");
      case REST_CERTIFICATE -> new AgentUser(server.url(Proof.CERTIFICATE), server.agentKey(), Proof.CERTIFICATE, people, "");
      case REST_ASSERTION -> new AgentUser(server.url(Proof.ASSERTION), server.agentKey(), Proof.ASSERTION, people, "");
      case VISITORS ->
          new AgentUser(server.url(Proof.CERTIFICATE), server.agentKey(), Proof.CERTIFICATE, people, "@" + TwoRealms.HOME);
    };
  }

  /** How people come in. */
  enum Way {
    /** At the build that hashes. */
    PIN_HASH("pin-hash", "RADIUS PAP", PinHash.ARGON2ID),
    RADIUS("radius", "RADIUS PAP", PinHash.ASIDE),
    REST_CERTIFICATE("certificate", "REST by certificate", PinHash.ASIDE),
    REST_ASSERTION("assertion", "REST by assertion", PinHash.ASIDE),
    /** An authentication and the download for days without a server. */
    OFFLINE_1("offline-1", "REST and 1" + OFFLINE, PinHash.ASIDE),
    OFFLINE_3("offline-3", "REST and 3" + OFFLINE, PinHash.ASIDE),
    OFFLINE_30("offline-30", "REST and 30" + OFFLINE, PinHash.ASIDE),
    /** An authentication and the report of one without a server. */
    OFFLINE_LOG("offline-log", "REST and a report of" + OFFLINE, PinHash.ASIDE),
    /** At a node that asks another one. */
    VISITORS("visitors", "Cross-realm, REST by certificate", PinHash.ASIDE),
    /** Assertions of a page that stays open. */
    PASSKEY("passkey", "Passkey, challenge and assertion", SoftPasskey.Kind.ES256),
    PASSKEY_EDDSA("passkey-eddsa", "Passkey, challenge and assertion", SoftPasskey.Kind.EDDSA),
    PASSKEY_RS256("passkey-rs256", "Passkey, challenge and assertion", SoftPasskey.Kind.RS256),
    /** With the page. */
    PASSKEY_LOGIN("passkey-login", "Passkey, whole login", SoftPasskey.Kind.ES256),
    /** Not an authentication: the first synchronisation of the register of people. */
    PEOPLE("people", "import of people", PinHash.ARGON2ID),
    /** Not an authentication: the log is written and archived. */
    LOG("log", "the log", PinHash.ARGON2ID),
    /** Everything at once. */
    MIX("mix", "a sustained mix", PinHash.ARGON2ID);

    private final String word;
    private final String title;
    private final PinHash hash;
    private final Optional<SoftPasskey.Kind> kind;

    Way(String word, String title, PinHash hash) {
      this.word = word;
      this.title = title;
      this.hash = hash;
      this.kind = Optional.empty();
    }

    Way(String word, String title, SoftPasskey.Kind kind) {
      this.word = word;
      this.title = title + ", " + kind.word();
      this.hash = PinHash.ARGON2ID;
      this.kind = Optional.of(kind);
    }

    String word() {
      return word;
    }

    String title() {
      return title;
    }

    /** Days without a server that its agent has. */
    int days() {
      return switch (this) {
        case OFFLINE_1 -> 1;
        case OFFLINE_30 -> 30;
        default -> 3;
      };
    }

    String row(int people) {
      return String.format(Locale.ROOT, "%s, %,d people", title, people);
    }
  }

  /** @param bytesEach on the wire of one authentication */
  record Wire(String way, double bytesEach) {}

  @Override
  protected List<?> details() {
    Stream<Wire> wire =
        bytes.entrySet().stream().filter(each -> each.getValue().each() > 0).map(each -> new Wire(each.getKey().word(), each.getValue().each()));
    return Stream.of(importTimes.stream(), logTimes.stream(), mix.stream(), wire).flatMap(all -> all).toList();
  }

  @Override
  protected void addSettings(Map<String, String> settings) {
    settings.put("Callers", Integer.toString(callers));
    settings.put("Warm-up of each row", warmUp + " s");
  }

  @Override
  protected String conclusions(List<Iteration> iterations) {
    return new OtpConclusions(iterations, new OtpConclusions.Beside(bytes, importTimes, logTimes, mix)).markdown();
  }
}
