package dev.gatehouse.idp.agent.offline;

import dev.gatehouse.common.throttle.LogThrottle;
import dev.gatehouse.idp.agent.offline.HeldDays.Codes;
import dev.gatehouse.idp.agent.offline.HeldDays.Tries;
import dev.gatehouse.idp.agent.server.Asked;
import dev.gatehouse.idp.agent.server.Passcodes;
import dev.gatehouse.idp.agent.server.RealmAnswer;
import dev.gatehouse.idp.agent.server.RealmAnswer.Accepted;
import dev.gatehouse.idp.agent.server.RealmAnswer.Rejected;
import dev.gatehouse.idp.agent.server.RealmAnswer.Unavailable;
import dev.gatehouse.idp.agent.server.RealmServers;
import dev.gatehouse.idp.otp.OfflineCodes;
import dev.gatehouse.idp.otp.PinCost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks servers, and decides by itself if none of them took the passcode. After each login it fetches what it needs for that; when servers
 * are there again it reports what it decided, and learns what has ended.
 */
public final class OfflinePasscodes implements Passcodes, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(OfflinePasscodes.class);

  private static final String DAYS = "otp/v1/offline-days";
  private static final String USES = "otp/v1/offline-uses";

  /** PINs whose key is on the same disk. */
  private static final int LEAST_PIN = 8;

  /** Wrong passcodes in a row, and at all, until a server was reached: sixteen bits of a code are hit by chance once in 22,000 tries. */
  private static final int MOST_IN_ROW = 5;

  private static final int MOST = 10;

  /** Time servers correct clocks by less. */
  private static final long CORRECTION_SECONDS = 120;

  private static final Duration PAUSE = Duration.ofSeconds(15);

  /** How soon an agent with a network learns that somebody's days have ended. */
  private static final long ASKED_AGAIN = Duration.ofMinutes(10).toNanos();

  private final RealmServers servers;
  private final MachineKey key;
  private final HeldFiles files;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final LogThrottle faults = new LogThrottle();
  private final LogThrottle shortPins = new LogThrottle();
  private final LogThrottle setBack = new LogThrottle();
  private final Thread reports;
  private long asked;

  private OfflinePasscodes(RealmServers servers, MachineKey key, HeldFiles files, InstantSource clock, RandomGenerator random) {
    this.servers = servers;
    this.key = key;
    this.files = files;
    this.clock = clock;
    this.random = random;
    this.asked = System.nanoTime();
    this.reports = Thread.ofVirtual().name("agent-offline").unstarted(this::reportAgainAndAgain);
  }

  /**
   * Opens what was kept.
   *
   * @param agent the client ID, for which alone it counts
   */
  public static OfflinePasscodes open(OfflineSettings settings, String agent, RealmServers servers, InstantSource clock,
      RandomGenerator random)
      throws IOException {
    MachineKey key = MachineKey.open(settings, agent, random);
    OfflinePasscodes passcodes = new OfflinePasscodes(servers, key, new HeldFiles(settings.folder(), key), clock, random);
    passcodes.reports.start();
    return passcodes;
  }

  @Override
  public RealmAnswer ask(Asked asked) {
    RealmAnswer answer = servers.ask(asked);
    if (asked.challenge().isPresent() || !asked.isDecidable()) {
      return answer;
    }
    return switch (answer) {
      case Accepted(String name, Optional<String> ticket) -> {
        ticket.ifPresent(text -> Thread.startVirtualThread(() -> fetch(asked, text)));
        yield answer;
      }
      // A realm that is there and does not know the agent any more decides.
      case Unavailable(boolean isTurnedAway) -> isTurnedAway ? answer : decide(asked);
      case RealmAnswer other -> other;
    };
  }

  private static String typed(Asked asked) {
    return asked.passcode().replaceAll("\\s", "");
  }

  /** Fetches what is missing for the days after a login. */
  private void fetch(Asked login, String ticket) {
    try {
      Optional<HeldDays> before = files.find(login.name());
      if (before.filter(held -> !held.tries().uses().isEmpty()).isPresent()) {
        before = report(login.name());
      }
      Map<String, String> form =
          before
              .map(held -> Map.of("ticket", ticket, "from", String.valueOf(held.codes().end())))
              .orElseGet(() -> Map.of("ticket", ticket));
      Optional<Map<String, Object>> answer = servers.send(DAYS, form).filter(json -> "days".equals(json.get("result")));
      if (answer.isPresent() && before.isPresent() && !before.get().codes().continuesIn(HeldDays.codes(answer.get()))) {
        answer = servers.send(DAYS, Map.of("ticket", ticket)).filter(json -> "days".equals(json.get("result")));
        before = Optional.empty();
      }
      if (answer.isPresent()) {
        keep(login, ticket, before, answer.get());
      }
    } catch (RuntimeException e) {
      faults.count().ifPresent(times -> LOG.warn("Days without a server were not fetched for {} ({} times since the start)", login.name(),
          times, e));
    }
  }

  private synchronized void keep(Asked login, String ticket, Optional<HeldDays> before, Map<String, Object> answer) {
    Codes codes = HeldDays.codes(answer);
    int pin = typed(login).length() - codes.digits();
    if (!PinCost.USUAL.kind().equals(answer.get("pinHash"))) {
      LOG.warn("The realm hashes PINs in a way that this version of the agent does not know: upgrade the agent");
      return;
    }
    if (!key.isInTpm() && pin < LEAST_PIN) {
      shortPins.count().ifPresent(
          times -> LOG.info("Nothing is kept for {}, whose PIN has fewer than {} characters, because the key is not in a TPM",
              login.name(), LEAST_PIN));
      return;
    }
    long now = clock.instant().getEpochSecond();
    Codes all = before.map(held -> held.codes().with(codes, now / codes.period() + codes.drift() - 1)).orElse(codes);
    // What was decided here meanwhile stays.
    Optional<HeldDays> present = files.find(login.name());
    List<String> open = present.map(held -> held.tries().uses()).orElse(List.of());
    long usedHere = present.filter(held -> held.codes().serial().equals(codes.serial())).map(held -> held.tries().lastUsed()).orElse(-1L);
    long lastUsed = Math.max(usedHere, HeldDays.number(answer, "lastUsed"));
    files.keep(
        new HeldDays(login.name(), ticket, all, HeldDays.number(answer, "until"), new Tries(lastUsed, 0, 0, open)));
    files.keepClock(now);
  }

  private synchronized RealmAnswer decide(Asked asked) {
    try {
      Optional<HeldDays> held = files.find(asked.name());
      Instant now = clock.instant();
      if (held.isEmpty() || !isClockRight(now) || now.getEpochSecond() >= held.get().until()) {
        return new Unavailable(false);
      }
      return decide(held.get(), typed(asked), now);
    } catch (UncheckedIOException e) {
      faults.count().ifPresent(times -> LOG.warn("Nobody is let in without a server, because {} ({} times since the start)",
          e.getMessage(), times));
      return new Unavailable(false);
    }
  }

  /** A clock that was set back would make days longer and codes new. */
  private boolean isClockRight(Instant now) {
    long latest = files.clock().orElse(Long.MAX_VALUE);
    if (now.getEpochSecond() < latest - CORRECTION_SECONDS) {
      setBack.count().ifPresent(times -> LOG.warn("The clock was set back: nobody is let in until a server was reached ({} times since "
          + "the start)", times));
      return false;
    }
    files.keepClock(Math.max(latest, now.getEpochSecond()));
    return true;
  }

  private RealmAnswer decide(HeldDays held, String typed, Instant now) {
    Tries tries = held.tries();
    int digits = held.codes().digits();
    if (tries.wrongInRow() >= MOST_IN_ROW || tries.wrong() >= MOST) {
      LOG.warn("{} has too many wrong passcodes, and is let in again when a server was reached", held.name());
      return new Rejected();
    }
    int pin = typed.length() - digits;
    OptionalLong step = pin <= 0 ? OptionalLong.empty() : step(held, typed.substring(0, pin), typed.substring(pin), now);
    byte[] id = new byte[16];
    random.nextBytes(id);
    String use = HexFormat.of().formatHex(id) + " " + now.getEpochSecond() + " ";
    // On disk before anybody is let in, and before anybody may try again.
    Tries after =
        step.isPresent() ? tries.accepted(step.getAsLong(), use + "accept " + step.getAsLong()) : tries.refused(use + "reject");
    files.keep(held.with(after));
    LOG.info("Without a server {} was {}", held.name(), step.isPresent() ? "accepted" : "refused");
    return step.isPresent() ? new Accepted(held.name(), Optional.empty()) : new Rejected();
  }

  private static OptionalLong step(HeldDays held, String pin, String code, Instant now) {
    Codes codes = held.codes();
    OfflineCodes bits = new OfflineCodes(PinCost.USUAL.hash(codes.salt(), pin), codes.serial());
    long present = now.getEpochSecond() / codes.period() + codes.drift();
    OptionalLong found = OptionalLong.empty();
    for (long step = present - 1; step <= present + 1; step++) {
      Optional<Short> kept = codes.at(step);
      if (step > held.tries().lastUsed() && kept.isPresent() && kept.get() == bits.bits(step, code)) {
        found = OptionalLong.of(step);
      }
    }
    return found;
  }

  private void reportAgainAndAgain() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        try {
          reportAll();
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

  /** Reports uses, and asks about everybody now and then whether their days still count. */
  void reportAll() {
    boolean isTime = System.nanoTime() - asked > ASKED_AGAIN;
    boolean reached = true;
    for (HeldDays held : files.all()) {
      boolean isOver = clock.instant().getEpochSecond() >= held.until();
      if (isTime || isOver || !held.tries().uses().isEmpty()) {
        reached &= report(held.name()).isPresent() || files.find(held.name()).isEmpty();
      }
    }
    if (isTime && reached) {
      asked = System.nanoTime();
    }
  }

  /** Reports what was decided about a person. Returns what the person has still; nothing if it ended, or no server answers. */
  private Optional<HeldDays> report(String name) {
    Optional<HeldDays> found = files.find(name);
    if (found.isEmpty()) {
      return found;
    }
    HeldDays held = found.get();
    List<String> uses = held.tries().uses();
    if (!uses.isEmpty() && servers.send(USES, Map.of("ticket", held.ticket(), "uses", String.join("\n", uses))).isEmpty()) {
      return Optional.empty();
    }
    Optional<Map<String, Object>> answer = servers.send(DAYS, Map.of("ticket", held.ticket(), "from", String.valueOf(held.codes().end())));
    return answer.flatMap(json -> reported(name, uses, "days".equals(json.get("result"))));
  }

  private synchronized Optional<HeldDays> reported(String name, List<String> uses, boolean counts) {
    Optional<HeldDays> left = files.find(name).map(held -> held.with(held.tries().reported(uses)));
    left.map(held -> counts ? held : held.ended()).ifPresent(files::keep);
    left.filter(held -> !counts && held.tries().uses().isEmpty()).ifPresent(files::remove);
    files.keepClock(clock.instant().getEpochSecond());
    return left.filter(held -> counts);
  }

  @Override
  public void close() {
    reports.interrupt();
  }
}
