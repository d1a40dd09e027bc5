package dev.gatehouse.common.device;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.session.SessionId;
import io.micrometer.core.instrument.Counter;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** The requests that were not of the device of their session: all are counted, and recorded at a bounded rate. */
public final class DeviceDifferences {

  private static final Duration BETWEEN_AUDITS = Duration.ofMinutes(5);
  private static final int MAX_REMEMBERED = 10_000;

  private record Audited(SessionId session, DeviceReason reason) {}

  private final AuditLog audit;
  private final Map<DeviceReason, Counter> observed = new EnumMap<>(DeviceReason.class);
  private final Map<DeviceReason, Counter> refused = new EnumMap<>(DeviceReason.class);
  private final Cache<Audited, Boolean> audited =
      Caffeine.newBuilder().maximumSize(MAX_REMEMBERED).expireAfterWrite(BETWEEN_AUDITS).executor(Runnable::run).build();

  /** The counters. */
  public interface Counters {
    Counter of(String reason, String outcome);
  }

  public DeviceDifferences(AuditLog audit, Counters counters) {
    this.audit = audit;
    for (DeviceReason reason : DeviceReason.values()) {
      observed.put(reason, counters.of(reason.word(), outcome(false)));
      refused.put(reason, counters.of(reason.word(), outcome(true)));
    }
  }

  /** Counts a request; returns whether it is to be recorded too. Never blocks. */
  public boolean count(SessionId session, DeviceReason reason, boolean enforced) {
    Objects.requireNonNull((enforced ? refused : observed).get(reason)).increment();
    return audited.asMap().putIfAbsent(new Audited(session, reason), true) == null;
  }

  /** Records a request in the audit log. Blocks. */
  public void record(AuditEvent.Context context, SessionId session, PersonId person, DeviceReason reason, boolean enforced) {
    audit.record(new AuditEvent.DeviceDiffers(context, session.value(), person.value(), reason.word(), outcome(enforced)));
  }

  private static String outcome(boolean enforced) {
    return enforced ? "refused" : "observed";
  }
}
