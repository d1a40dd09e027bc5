package dev.gatehouse.idp.agent.server;

import dev.gatehouse.idp.agent.server.Outcome.Answered;
import dev.gatehouse.idp.agent.server.Outcome.NotTaken;
import dev.gatehouse.idp.agent.server.RealmAnswer.Rejected;
import dev.gatehouse.idp.agent.server.RealmAnswer.Unavailable;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the server that answers soonest. A passcode is sent only to a server that was heard within the last second, because a right code
 * counts once and a wrong one is counted: one that hangs is found by a probe, which costs nobody anything but its short time. Once a
 * passcode may have arrived, no other server is asked about it.
 */
public final class RealmServers implements Passcodes, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RealmServers.class);

  private static final String AUTHENTICATIONS = "otp/v1/authentications";

  /** A public document, so that a probe costs a server next to nothing. */
  private static final String PROBED = "otp/v1/openapi.json";

  private static final Set<String> NOT_THIS_AGENT = Set.of("invalid_client", "unauthorized_client");

  private static final int TOO_MANY = 429;

  /** For so long a server that answered is taken to be there. */
  private static final long FRESH = Duration.ofSeconds(1).toNanos();

  /** How soon a server that did not answer is tried again. */
  private static final Duration WATCH = Duration.ofSeconds(1);

  /** Another server has to be so much sooner to be asked in place of the present one, so that connections stay warm. */
  private static final double CLEARLY_SOONER = 0.8;

  private final ServerSettings settings;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final ServerHttp http;
  private final List<RealmServer> servers;
  private final Thread watch;
  private volatile Consumer<Boolean> standing = isKnown -> {};
  private int preferred = -1;

  /** Creates the servers; {@link #start} probes them. */
  public RealmServers(ServerSettings settings, RealmEpoch epoch, InstantSource clock, RandomGenerator random) {
    this.settings = settings;
    this.clock = clock;
    this.random = random;
    this.http = new ServerHttp(settings, epoch);
    this.servers =
        IntStream.range(0, settings.servers().size()).mapToObj(i -> new RealmServer(settings.servers().get(i), i)).toList();
    this.watch = Thread.ofVirtual().name("agent-probes").unstarted(this::watch);
  }

  /** Probes all servers, and again and again from now on. */
  public void start() {
    probe(servers);
    probe(servers.stream().filter(server -> !locked(server, RealmServer::isFailing)).toList());
    watch.start();
  }

  /**
   * The state of a server.
   *
   * @param millis of its last probe, if it was answered
   * @param problem why it cannot be asked; empty if it can
   */
  public record State(String server, Optional<Long> millis, String problem) {}

  List<RealmServer> all() {
    return servers;
  }

  /** Asks each server whether it takes this agent, with a request that decides nothing. */
  public List<State> states() {
    return servers.stream().map(this::state).toList();
  }

  private State state(RealmServer server) {
    long began = System.nanoTime();
    Outcome probed = http.get(server.address(), PROBED, settings.times().probe());
    Optional<Long> millis = Optional.of((System.nanoTime() - began) / 1_000_000);
    if (!(probed instanceof Answered heard && heard.status() == 200)) {
      return new State(server.toString(), Optional.empty(), probed.words());
    }
    Outcome asked = http.post(server.address(), AUTHENTICATIONS, settings.key().proof(clock, random), settings.times().request());
    // A request without a name is malformed, but only for a client that may ask.
    boolean isTaken = asked instanceof Answered a && a.status() == 400 && a.text("error").filter("invalid_request"::equals).isPresent();
    return new State(server.toString(), millis, isTaken ? "" : asked.words());
  }

  @Override
  public RealmAnswer ask(Asked asked) {
    if (!asked.isDecidable()) {
      return new Rejected();
    }
    Optional<Challenge> challenge = asked.challenge().map(Challenge::of);
    long began = System.nanoTime();
    Set<RealmServer> tried = new HashSet<>();
    boolean isReached = false;
    // Those that rest are tried last, all at once: only if none of them answers now, either, is this host alone.
    for (int round = 0; round < 2; round++) {
      for (RealmServer server : candidates(challenge)) {
        if (tried.add(server) && isThere(server)) {
          RealmAnswer answer = ask(server, asked, challenge.map(Challenge::reference));
          if (!(answer instanceof Unavailable(boolean isThere))) {
            return answer;
          }
          isReached |= isThere;
        }
      }
      if (round == 0) {
        probe(servers.stream().filter(server -> !tried.contains(server)).toList());
      }
    }
    return new Unavailable(isReached || servers.stream().anyMatch(server -> locked(server, s -> s.isAnsweredSince(began))));
  }

  private RealmAnswer ask(RealmServer server, Asked asked, Optional<String> reference) {
    Map<String, String> form = new HashMap<>(settings.key().proof(clock, random));
    form.put("name", asked.name());
    form.put("passcode", asked.passcode());
    reference.ifPresent(value -> form.put("challenge", value));
    if (!asked.address().isEmpty()) {
      form.put("address", asked.address());
    }
    long began = System.nanoTime();
    Outcome outcome = http.post(server.address(), AUTHENTICATIONS, form, settings.times().request());
    double millis = (System.nanoTime() - began) / 1e6;
    tell(outcome);
    return switch (outcome) {
      case Answered answered when answered.status() == 200 && Decision.of(answered, server.number()) instanceof RealmAnswer answer -> {
        synchronized (server) {
          server.decided(System.nanoTime(), millis);
        }
        yield answer;
      }
      // It is well, and was asked too often.
      case Answered answered when answered.status() == TOO_MANY -> new Unavailable(true);
      case Answered answered when isRefusal(answered.status()) -> {
        failed(server, outcome.words(), false);
        yield new Unavailable(true);
      }
      case NotTaken notTaken -> down(server, notTaken);
      // What it decided counts nowhere; but if it took the passcode, its mark may.
      case Outcome.Deposed deposed when isRefusal(deposed.answer().status()) -> down(server, deposed);
      case Outcome.Deposed deposed -> silent(server, deposed);
      case Answered other -> silent(server, other);
      case Outcome.Unknown unknown -> silent(server, unknown);
    };
  }

  /** Sends a request that may be repeated. */
  public Sent send(String path, Map<String, String> fields) {
    Sent sent = new Sent.NotReached();
    for (RealmServer server : candidates(Optional.empty())) {
      if (isThere(server)) {
        Map<String, String> form = new HashMap<>(settings.key().proof(clock, random));
        form.putAll(fields);
        Outcome outcome = http.post(server.address(), path, form, settings.times().request());
        tell(outcome);
        if (outcome instanceof Answered answered) {
          if (answered.status() == 200) {
            return new Sent.Done(answered.json());
          }
          sent = new Sent.Refused(answered.status());
        }
        LOG.debug("{} does not answer at {}: {}", server, path, outcome.words());
      }
    }
    return sent;
  }

  /** Tells from now on after each answer that says so whether the realm knows this agent. */
  public void onStanding(Consumer<Boolean> isKnown) {
    standing = isKnown;
  }

  private void tell(Outcome outcome) {
    if (outcome instanceof Answered answered) {
      if (answered.status() == 200) {
        standing.accept(true);
      } else if (turnsAway(answered)) {
        standing.accept(false);
      }
    }
  }

  private static boolean turnsAway(Answered answered) {
    int status = answered.status();
    return status == 401 || status == 403 || status == 404
        || status == 400 && answered.text("error").filter(NOT_THIS_AGENT::contains).isPresent();
  }

  private RealmAnswer down(RealmServer server, Outcome outcome) {
    failed(server, outcome.words(), false);
    return new Unavailable(false);
  }

  private RealmAnswer silent(RealmServer server, Outcome outcome) {
    failed(server, outcome.words(), true);
    return new RealmAnswer.Unknown();
  }

  /**
   * Returns whether a server says by this status that it decided nothing: a client that may not ask, too many requests, or stores that do
   * not answer. Others, such as 502 and 504 of a balancer, leave it open.
   */
  private static boolean isRefusal(int status) {
    return status >= 400 && status < 500 || status == 503;
  }

  /** The servers that do not rest: the one of the challenge first, then in the pinned order or by the time that they take. */
  private List<RealmServer> candidates(Optional<Challenge> challenge) {
    long now = System.nanoTime();
    List<RealmServer> awake = new ArrayList<>(servers);
    awake.removeIf(server -> locked(server, RealmServer::rests));
    if (!settings.isPinned()) {
      bySpeed(awake, now);
    }
    challenge.ifPresent(asked -> awake.sort(Comparator.comparing(server -> server.number() != asked.server())));
    return awake;
  }

  private synchronized void bySpeed(List<RealmServer> awake, long now) {
    double least =
        awake.stream()
            .mapToDouble(server -> locked(server, s -> s.requestMillis(now)))
            .filter(millis -> !Double.isNaN(millis))
            .min()
            .orElse(0);
    Map<RealmServer, Double> expected = new HashMap<>();
    awake.forEach(
        server -> {
          double millis = locked(server, s -> s.expectedMillis(now, least));
          expected.put(server, server.number() == preferred ? millis * CLEARLY_SOONER : millis);
        });
    awake.sort(Comparator.comparing(server -> expected.getOrDefault(server, Double.MAX_VALUE)));
    if (!awake.isEmpty() && awake.getFirst().number() != preferred) {
      preferred = awake.getFirst().number();
      if (servers.size() > 1) {
        LOG.info("{} answers soonest, and is asked first from now on", awake.getFirst());
      }
    }
  }

  private static <T> T locked(RealmServer server, Function<RealmServer, T> read) {
    synchronized (server) {
      return read.apply(server);
    }
  }

  private boolean isThere(RealmServer server) {
    return locked(server, s -> s.isHeardSince(System.nanoTime() - FRESH)) || probe(server);
  }

  private boolean probe(RealmServer server) {
    long began = System.nanoTime();
    Outcome outcome = http.get(server.address(), PROBED, settings.times().probe());
    long now = System.nanoTime();
    if (outcome instanceof Answered) {
      synchronized (server) {
        server.answered(now);
      }
    }
    if (!(outcome instanceof Answered answered && answered.status() == 200)) {
      failed(server, outcome.words(), false);
      return false;
    }
    boolean wasFailing;
    synchronized (server) {
      wasFailing = server.isFailing();
      server.probed(now, (now - began) / 1e6);
      wasFailing &= !server.rests();
    }
    if (wasFailing) {
      LOG.info("{} answers again", server);
    }
    return true;
  }

  private void probe(List<RealmServer> some) {
    List<Thread> probes = some.stream().map(server -> Thread.startVirtualThread(() -> probe(server))).toList();
    try {
      for (Thread probe : probes) {
        probe.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void failed(RealmServer server, String why, boolean isSilent) {
    boolean first;
    synchronized (server) {
      first = !server.isFailing();
      if (isSilent) {
        server.silent(System.nanoTime());
      } else {
        server.failed(System.nanoTime());
      }
    }
    if (first) {
      LOG.warn("{} is left alone for a while: {}", server, why);
    }
  }

  private void watch() {
    long next = System.nanoTime() + settings.times().between().toNanos();
    try {
      while (!Thread.currentThread().isInterrupted()) {
        Thread.sleep(WATCH);
        boolean all = System.nanoTime() - next >= 0;
        probe(servers.stream().filter(server -> all || locked(server, s -> s.mayBeWoken(System.nanoTime()))).toList());
        next = all ? System.nanoTime() + settings.times().between().toNanos() : next;
      }
    } catch (InterruptedException e) {
      // The agent stops.
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    watch.interrupt();
    http.close();
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%d servers", servers.size());
  }
}
