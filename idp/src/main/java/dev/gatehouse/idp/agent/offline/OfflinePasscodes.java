package dev.gatehouse.idp.agent.offline;

import dev.gatehouse.common.key.FileUnreadable;
import dev.gatehouse.common.throttle.LogThrottle;
import dev.gatehouse.idp.agent.offline.HeldDays.Codes;
import dev.gatehouse.idp.agent.offline.HeldDays.Tries;
import dev.gatehouse.idp.agent.server.Asked;
import dev.gatehouse.idp.agent.server.Attempts;
import dev.gatehouse.idp.agent.server.Attempts.Outcome;
import dev.gatehouse.idp.agent.server.Passcodes;
import dev.gatehouse.idp.agent.server.RealmAnswer;
import dev.gatehouse.idp.agent.server.RealmAnswer.Accepted;
import dev.gatehouse.idp.agent.server.RealmAnswer.Challenged;
import dev.gatehouse.idp.agent.server.RealmAnswer.Rejected;
import dev.gatehouse.idp.agent.server.RealmAnswer.Unavailable;
import dev.gatehouse.idp.agent.server.RealmAnswer.Unknown;
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
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks servers, and decides by itself if none of them can be reached: for people whose days it holds, while the realm knew this agent when
 * it last said so.
 */
public final class OfflinePasscodes implements Passcodes, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(OfflinePasscodes.class);

  /** Wrong passcodes in a row, and at all, until a server was reached: sixteen bits of a code are hit by chance once in 22,000 tries. */
  private static final int MOST_IN_ROW = 5;

  private static final int MOST = 10;

  /** Of all people together, within an hour of the clock: whoever tries one guess with each of many names is stopped, too. */
  private static final int MOST_IN_HOUR = 20;

  /** A code that a server took may be one of the next step. */
  private static final int AHEAD = 1;

  private final RealmServers servers;
  private final HeldFiles files;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final Upkeep upkeep;
  private final Attempts attempts;
  private final LogThrottle faults = new LogThrottle();
  private final LogThrottle setBack = new LogThrottle();
  private final LogThrottle locked = new LogThrottle();

  private OfflinePasscodes(
      RealmServers servers, HeldFiles files, Upkeep upkeep, Attempts attempts, InstantSource clock, RandomGenerator random) {
    this.servers = servers;
    this.files = files;
    this.upkeep = upkeep;
    this.attempts = attempts;
    this.clock = clock;
    this.random = random;
  }

  /**
   * Opens what was kept.
   *
   * @param agent the client ID, for which alone it counts
   */
  public static OfflinePasscodes open(
      OfflineSettings settings, String agent, RealmServers servers, Attempts attempts, InstantSource clock, RandomGenerator random)
      throws IOException {
    MachineKey key = MachineKey.open(settings, agent, random);
    HeldFiles files = HeldFiles.open(settings.folder(), key);
    Upkeep upkeep = new Upkeep(servers, files, clock, key.isInTpm());
    OfflinePasscodes passcodes = new OfflinePasscodes(servers, files, upkeep, attempts, clock, random);
    servers.onStanding(passcodes::standing);
    upkeep.start();
    return passcodes;
  }

  /** What is kept now. */
  public HeldCounts held() {
    long now = clock.instant().getEpochSecond();
    List<Long> left = files.all().stream().map(line -> line.until() - now).filter(seconds -> seconds > 0).toList();
    int uploads = files.all().stream().mapToInt(HeldFiles.Line::uses).sum();
    double days = left.stream().mapToLong(Long::longValue).sum() / (double) Duration.ofDays(1).toSeconds();
    return new HeldCounts(left.size(), days, uploads, files.state().isKnown());
  }

  /** Once the realm does not know this agent, nobody is let in without a server until the realm knows it again. */
  private void standing(boolean isKnown) {
    try {
      synchronized (files) {
        if (files.state().isKnown() && !isKnown) {
          LOG.warn("The realm does not know this agent any more: nobody is let in without a server");
        }
        files.keep(files.state().known(isKnown));
      }
    } catch (UncheckedIOException e) {
      warn(e);
    }
  }

  @Override
  public RealmAnswer ask(Asked asked) {
    RealmAnswer answer = servers.ask(asked);
    boolean isAlone = answer instanceof Unavailable(boolean isReached) && !isReached && asked.challenge().isEmpty();
    if (!isAlone || !asked.isDecidable()) {
      attempts.count(asked, answer);
    }
    if (!asked.isDecidable()) {
      return answer;
    }
    return switch (answer) {
      case Accepted(String name, Optional<String> ticket) -> {
        usedThere(asked.name());
        if (asked.challenge().isEmpty()) {
          ticket.ifPresent(text -> Thread.startVirtualThread(() -> upkeep.fetch(asked.name(), Upkeep.typed(asked).length(), text)));
        }
        yield answer;
      }
      case Unknown unknown -> {
        usedThere(asked.name());
        yield answer;
      }
      case Challenged challenged -> {
        usedThere(asked.name());
        yield answer;
      }
      case Rejected rejected -> {
        // Perhaps because the days have ended.
        upkeep.checkSoon(asked.name());
        yield answer;
      }
      // A server that is there decides, also that it does not.
      case Unavailable(boolean isThere) -> {
        if (!isThere) {
          upkeep.servers(false);
        }
        yield isAlone ? decide(asked) : answer;
      }
    };
  }

  /** A code that a server took, or may have taken, counts here no more. */
  private void usedThere(String name) {
    try {
      synchronized (files) {
        Optional<HeldDays> held = files.find(name);
        held.map(days -> days.with(days.tries().usedUpTo(days.step(clock.instant().getEpochSecond()) + AHEAD)))
            .filter(days -> !days.tries().equals(held.get().tries()))
            .ifPresent(files::keep);
      }
    } catch (UncheckedIOException | FileUnreadable e) {
      warn(e);
    }
  }

  private void warn(RuntimeException fault) {
    faults.count().ifPresent(times -> LOG.warn("What is kept for days without a server cannot be used: {} ({} times since the start)",
        fault.getMessage(), times));
  }

  private RealmAnswer decide(Asked asked) {
    try {
      synchronized (files) {
        Optional<HeldDays> held = files.find(asked.name()).filter(days -> days.name().equals(asked.name()));
        Instant now = clock.instant();
        if (held.isEmpty() || now.getEpochSecond() >= held.get().until()) {
          return unavailable(Outcome.NOT_HELD);
        }
        if (!files.state().isKnown()) {
          return unavailable(Outcome.AGENT_UNKNOWN);
        }
        if (!isClockRight(now)) {
          return unavailable(Outcome.CLOCK);
        }
        return decide(held.get(), Upkeep.typed(asked), now);
      }
    } catch (UncheckedIOException | FileUnreadable e) {
      warn(e);
      return unavailable(Outcome.FAULT);
    }
  }

  private Unavailable unavailable(Outcome why) {
    attempts.count(why);
    return new Unavailable(false);
  }

  /** A clock that was set back would make days longer and codes new. */
  private boolean isClockRight(Instant now) {
    long latest = files.state().latest();
    if (now.getEpochSecond() < latest - Upkeep.CORRECTION_SECONDS) {
      setBack.count().ifPresent(times -> LOG.warn("The clock is not known to be right: nobody is let in until a server was reached ({} "
          + "times since the start)", times));
      return false;
    }
    files.keep(files.state().at(Math.max(latest, now.getEpochSecond())));
    return true;
  }

  private RealmAnswer decide(HeldDays held, String typed, Instant now) {
    Tries tries = held.tries();
    long second = now.getEpochSecond();
    if (tries.wrongInRow() >= MOST_IN_ROW || tries.wrong() >= MOST || files.state().wrongAt(second) >= MOST_IN_HOUR) {
      locked.count().ifPresent(times -> LOG.warn("{} is not let in without a server, after too many wrong passcodes of one or of many "
          + "people ({} times since the start)", held.name(), times));
      attempts.count(Outcome.TOO_MANY);
      return new Rejected();
    }
    int pin = typed.length() - held.codes().digits();
    OptionalLong step = pin <= 0 ? OptionalLong.empty() : step(held, typed.substring(0, pin), typed.substring(pin), now);
    byte[] id = new byte[16];
    random.nextBytes(id);
    String use = HexFormat.of().formatHex(id) + " " + second + " ";
    // On disk before anybody is let in, and before anybody may try again.
    Tries after =
        step.isPresent() ? tries.accepted(step.getAsLong(), use + "accept " + step.getAsLong()) : tries.refused(use + "reject");
    if (step.isEmpty()) {
      files.keep(files.state().plusWrong(second));
    }
    files.keep(held.with(held.codes().since(Upkeep.firstStep(held.codes(), second))).with(after));
    attempts.count(step.isPresent() ? Outcome.ACCEPTED_ALONE : Outcome.WRONG);
    LOG.info("Without a server {} was {}", held.name(), step.isPresent() ? "accepted" : "refused");
    return step.isPresent() ? new Accepted(held.name(), Optional.empty()) : new Rejected();
  }

  private static OptionalLong step(HeldDays held, String pin, String code, Instant now) {
    Codes codes = held.codes();
    OfflineCodes bits = new OfflineCodes(PinCost.USUAL.hash(codes.salt(), pin), codes.serial());
    long present = held.step(now.getEpochSecond());
    OptionalLong found = OptionalLong.empty();
    for (long step = present - 1; step <= present + 1; step++) {
      Optional<Short> kept = codes.at(step);
      if (step > held.tries().lastUsed() && kept.isPresent() && kept.get() == bits.bits(step, code)) {
        found = OptionalLong.of(step);
      }
    }
    return found;
  }

  @Override
  public void close() {
    upkeep.close();
    files.close();
  }
}
