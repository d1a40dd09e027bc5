package dev.gatehouse.idp.agent.offline;

import dev.gatehouse.common.throttle.LogThrottle;
import dev.gatehouse.idp.agent.offline.HeldDays.Codes;
import dev.gatehouse.idp.agent.offline.HeldDays.Tries;
import dev.gatehouse.idp.agent.offline.HeldFiles.Line;
import dev.gatehouse.idp.agent.server.Asked;
import dev.gatehouse.idp.agent.server.RealmServers;
import dev.gatehouse.idp.agent.server.Sent;
import dev.gatehouse.idp.otp.PinCost;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fetches days after logins, reports what was decided without a server, and learns what has ended. */
final class Upkeep implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);

  static final String DAYS = "otp/v1/offline-days";
  static final String USES = "otp/v1/offline-uses";

  /** Time servers correct clocks by less. */
  static final long CORRECTION_SECONDS = 120;

  /** PINs whose key is on the same disk. */
  private static final int LEAST_PIN = 8;

  /** What a server takes at once is more. */
  private static final int BATCH = 200;

  private static final Duration PAUSE = Duration.ofSeconds(15);

  /** Between two people, so that logins and other work come between. */
  private static final Duration BREATH = Duration.ofMillis(50);

  /** How soon an agent with a network learns that somebody's days have ended. */
  private static final long ASKED_AGAIN = Duration.ofMinutes(10).toNanos();

  /** How often the reason of refusals is asked for. */
  private static final long ASKED_SOON = Duration.ofMinutes(1).toNanos();

  private static final long CLOCK_SECONDS = 60;

  private final RealmServers servers;
  private final HeldFiles files;
  private final InstantSource clock;
  private final boolean isKeyInTpm;
  private final LogThrottle faults = new LogThrottle();
  private final LogThrottle shortPins = new LogThrottle();
  private final LogThrottle wrongClock = new LogThrottle();

  /** When it was last known of somebody that their days count, by {@link System#nanoTime}; whoever is missing is asked about soon. */
  private final Map<String, Long> confirmed = new ConcurrentHashMap<>();

  private final Map<String, Long> checked = new ConcurrentHashMap<>();
  private final Thread rounds;

  Upkeep(RealmServers servers, HeldFiles files, InstantSource clock, boolean isKeyInTpm) {
    this.servers = servers;
    this.files = files;
    this.clock = clock;
    this.isKeyInTpm = isKeyInTpm;
    this.rounds = Thread.ofVirtual().name("agent-offline").unstarted(this::run);
  }

  void start() {
    rounds.start();
  }

  static String typed(Asked asked) {
    return asked.passcode().replaceAll("\\s", "");
  }

  /** The first time step that may still be needed: a clock may be corrected a little. */
  static long firstStep(Codes codes, long second) {
    return (second - CORRECTION_SECONDS) / codes.period() + codes.drift() - 1;
  }

  /** Takes note whether servers are there: after an outage everybody is asked about. */
  void servers(boolean areThere) {
    if (!areThere) {
      confirmed.clear();
    }
  }

  /**
   * Fetches what is missing for the days after a login.
   *
   * @param length of the passcode
   */
  void fetch(String name, int length, String ticket) {
    try {
      if (hasUses(files.find(name))) {
        report(name);
      }
      Optional<HeldDays> before = files.find(name);
      if (hasUses(before)) {
        // They are reported with their own ticket; the next login brings another one.
        return;
      }
      Map<String, String> all = Map.of("ticket", ticket);
      Optional<Map<String, Object>> answer =
          days(before.map(held -> Map.of("ticket", ticket, "from", String.valueOf(held.codes().end()))).orElse(all));
      if (answer.isPresent() && before.isPresent() && !before.get().codes().continuesIn(HeldDays.codes(answer.get()))) {
        answer = days(all);
        before = Optional.empty();
      }
      if (answer.isPresent()) {
        keep(name, length, ticket, before, answer.get());
      }
    } catch (RuntimeException e) {
      faults.count().ifPresent(times -> LOG.warn("Days without a server were not fetched for {} ({} times since the start)",
          name, times, e));
    }
  }

  private static boolean hasUses(Optional<HeldDays> held) {
    return held.filter(days -> !days.tries().uses().isEmpty()).isPresent();
  }

  private Optional<Map<String, Object>> days(Map<String, String> form) {
    return servers.send(DAYS, form) instanceof Sent.Done(var json) && "days".equals(json.get("result"))
        ? Optional.of(json)
        : Optional.empty();
  }

  private void keep(String name, int length, String ticket, Optional<HeldDays> before, Map<String, Object> answer) {
    Codes codes = HeldDays.codes(answer);
    if (!PinCost.USUAL.kind().equals(answer.get("pinHash"))) {
      LOG.warn("The realm hashes PINs in a way that this version of the agent does not know: upgrade the agent");
      return;
    }
    if (!isKeyInTpm && length - codes.digits() < LEAST_PIN) {
      shortPins.count().ifPresent(
          times -> LOG.info("Nothing is kept for {}, whose PIN has fewer than {} characters, because the key is not in a TPM",
              name, LEAST_PIN));
      return;
    }
    synchronized (files) {
      Optional<HeldDays> present = files.find(name);
      if (hasUses(present)) {
        return;
      }
      long now = clock.instant().getEpochSecond();
      Codes all = before.map(held -> held.codes().with(codes, firstStep(codes, now))).orElse(codes);
      // What was used here meanwhile stays used.
      long usedHere = present.filter(held -> held.codes().serial().equals(codes.serial())).map(held -> held.tries().lastUsed()).orElse(-1L);
      long lastUsed = Math.max(usedHere, HeldDays.number(answer, "lastUsed"));
      compareClocks(answer);
      files.keep(new HeldDays(name, ticket, all, HeldDays.number(answer, "until"), new Tries(lastUsed, 0, 0, List.of())));
    }
    confirmed.put(name, System.nanoTime());
  }

  /** A server that was reached says whether the clock is right; the latest time seen goes back by that alone. */
  private void compareClocks(Map<String, Object> answer) {
    long now = clock.instant().getEpochSecond();
    boolean isRight = answer.get("now") instanceof Number there && Math.abs(there.longValue() - now) <= CORRECTION_SECONDS;
    if (!isRight) {
      wrongClock.count().ifPresent(times -> LOG.warn("The clock differs from the server's by more than {} seconds: nobody is let in "
          + "without a server until it is right ({} times since the start)", CORRECTION_SECONDS, times));
    }
    files.keep(files.state().at(isRight ? now : HeldState.NEVER));
  }

  private void run() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        try {
          keepClock();
          round();
        } catch (RuntimeException e) {
          faults.count().ifPresent(times -> LOG.warn("What was decided without a server was not reported ({} times since the start)",
              times, e));
        }
        Thread.sleep(PAUSE);
      }
    } catch (InterruptedException e) {
      // The agent stops.
      Thread.currentThread().interrupt();
    }
  }

  /** A clock that is set back while nobody logs in is noticed, too. */
  private void keepClock() {
    synchronized (files) {
      long now = clock.instant().getEpochSecond();
      if (now > files.state().latest() + CLOCK_SECONDS) {
        files.keep(files.state().at(now));
      }
    }
  }

  /** Reports uses, and asks about people whose days were not confirmed for a while, the longest first, until a server has enough. */
  void round() throws InterruptedException {
    long now = System.nanoTime();
    List<Line> due =
        files.all().stream()
            .filter(line -> line.hasUses() || confirmed.get(line.name()) == null || now - confirmed.get(line.name()) > ASKED_AGAIN)
            .sorted(Comparator.comparingLong(line -> confirmed.getOrDefault(line.name(), now - ASKED_AGAIN) - now))
            .toList();
    for (Line line : due) {
      if (!line.hasUses() && clock.instant().getEpochSecond() >= line.until()) {
        forget(line.name());
      } else if (!report(line.name())) {
        return;
      }
      Thread.sleep(BREATH);
    }
  }

  private void forget(String name) {
    synchronized (files) {
      if (!hasUses(files.find(name))) {
        files.remove(name);
      }
    }
  }

  /** Asks about somebody after a server refused them, without holding anybody up. */
  void checkSoon(String name) {
    long now = System.nanoTime();
    if (files.holds(name) && checked.merge(name, now, (before, next) -> next - before > ASKED_SOON ? next : before) == now) {
      Thread.startVirtualThread(
          () -> {
            try {
              report(name);
            } catch (RuntimeException e) {
              faults.count().ifPresent(times -> LOG.warn("Whether days count was not found out ({} times since the start)", times, e));
            }
          });
    }
  }

  /** Reports what was decided about a person, and learns whether their days count. Returns false if a server has to be left alone. */
  boolean report(String name) {
    Optional<HeldDays> found = files.find(name);
    if (found.isEmpty()) {
      return true;
    }
    HeldDays held = found.get();
    List<String> uses = held.tries().uses();
    for (int i = 0; i < uses.size(); i += BATCH) {
      List<String> batch = uses.subList(i, Math.min(uses.size(), i + BATCH));
      Sent sent = servers.send(USES, Map.of("ticket", held.ticket(), "uses", String.join("\n", batch)));
      if (sent instanceof Sent.Done) {
        synchronized (files) {
          files.find(name).map(days -> days.with(days.tries().reported(Set.copyOf(batch)))).ifPresent(files::keep);
        }
      } else if (isEnough(sent)) {
        return false;
      }
    }
    Sent sent = servers.send(DAYS, Map.of("ticket", held.ticket(), "from", String.valueOf(held.codes().end())));
    if (sent instanceof Sent.Done(var json)) {
      learned(name, held.ticket(), json);
      return true;
    }
    return !isEnough(sent);
  }

  private boolean isEnough(Sent sent) {
    return switch (sent) {
      case Sent.Done done -> false;
      case Sent.Refused refused -> refused.isForAll();
      case Sent.NotReached nobody -> {
        servers(false);
        yield true;
      }
    };
  }

  private void learned(String name, String ticket, Map<String, Object> answer) {
    boolean counts = "days".equals(answer.get("result"));
    synchronized (files) {
      compareClocks(answer);
      // A login may have brought another ticket meanwhile.
      Optional<HeldDays> held = files.find(name).filter(days -> days.ticket().equals(ticket));
      if (held.isEmpty()) {
        return;
      }
      HeldDays left = held.get().with(held.get().tries().afterContact());
      if (!counts && !hasUses(held)) {
        files.remove(name);
      } else if (!counts) {
        files.keep(left.ended());
      } else if (!left.tries().equals(held.get().tries())) {
        files.keep(left);
      }
    }
    confirmed.put(name, System.nanoTime());
  }

  @Override
  public void close() {
    rounds.interrupt();
  }
}
