package dev.gatehouse.common.refusal;

import dev.gatehouse.common.throttle.LogThrottle;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.dao.UncategorizedDataAccessException;

/**
 * Logs requests that failed, at all edges by one rule. During an outage every request fails alike, and a stack trace of each would fill
 * the disk of the log: one has a warning a minute, each request a line at the level INFO with its reference, and none a stack trace. What
 * is no outage is a fault of ours and has its stack trace.
 */
public final class FaultLog {

  private static final int MOST_CAUSES = 8;
  private static final int LONGEST = 500;

  private final Logger log;
  private final Map<Outage, LogThrottle> warnings = new EnumMap<>(Outage.class);

  /** @param log of the edge */
  public FaultLog(Logger log) {
    this(log, System::nanoTime);
  }

  /** @param nanos a clock like {@link System#nanoTime} */
  FaultLog(Logger log, LongSupplier nanos) {
    this.log = log;
    for (Outage each : Outage.values()) {
      warnings.put(each, new LogThrottle(nanos));
    }
  }

  /** @param request as the log shall have it, with its reference */
  public void failed(String request, Throwable fault) {
    Optional<LogThrottle> outage = Outage.of(fault).filter(kind -> isExpected(fault)).map(warnings::get);
    if (outage.isEmpty()) {
      log.error("{} failed", request, fault);
      return;
    }
    OptionalLong times = outage.get().count();
    if (times.isPresent()) {
      log.warn("{} was refused: {} ({} such requests since the start)", request, sentence(fault), times.getAsLong());
    } else {
      log.info("{} was refused: {}", request, sentence(fault));
    }
  }

  /** Of the database only what an outage makes: a statement that it refuses is a fault of ours. */
  private static boolean isExpected(Throwable fault) {
    return !(fault instanceof DataAccessException)
        || fault instanceof NonTransientDataAccessResourceException
        || fault instanceof TransientDataAccessException && !(fault instanceof ConcurrencyFailureException)
        || fault instanceof RecoverableDataAccessException
        || fault instanceof UncategorizedDataAccessException;
  }

  /** The messages of the fault and of its causes that say more, in one line. */
  private static String sentence(Throwable fault) {
    StringBuilder sentence = new StringBuilder(String.valueOf(fault.getMessage()));
    @Nullable Throwable cause = fault.getCause();
    for (int i = 0; cause != null && i < MOST_CAUSES; i++) {
      String more = String.valueOf(cause.getMessage());
      if (sentence.indexOf(more) < 0) {
        sentence.append(": ").append(more);
      }
      cause = cause.getCause();
    }
    String line = sentence.toString().replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]+", " ");
    return line.length() > LONGEST ? line.substring(0, LONGEST) + "…" : line;
  }
}
