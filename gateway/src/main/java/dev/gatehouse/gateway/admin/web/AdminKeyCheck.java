package dev.gatehouse.gateway.admin.web;

import dev.gatehouse.common.audit.AuditUnavailable;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.key.NamedKeys.NamedKey;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.realm.ThrottleConfig;
import dev.gatehouse.common.throttle.GuessThrottle;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * Checks administrator keys, wherever they are presented. A right key is always accepted: keys cannot be guessed, so throttling of
 * wrong keys only protects the log, and must not lock out administrators who share an address with an attacker. Wrong keys are
 * audited with their address, at a limited rate.
 */
public final class AdminKeyCheck {

  /** The result of a check. */
  public sealed interface Verdict {
    /** The key is valid. */
    record Right(NamedKey key) implements Verdict {}

    /** The key is not known, or has ended; the answer does not say which. */
    record Wrong() implements Verdict {}

    /** The key is wrong, and too many were from this address. */
    record TooMany(Duration retryAfter, boolean atOnce) implements Verdict {}

    /** The key is wrong, and that cannot be audited. */
    record NotAudited() implements Verdict {}
  }

  private static final ThrottleConfig LIMITS = new ThrottleConfig(30, 30, Duration.ofMinutes(1));

  private final AdministratorKeys keys;
  private final GuessThrottle throttle;
  private final RefusalLog refusals;

  AdminKeyCheck(AdministratorKeys keys, GuessThrottle throttle, RefusalLog refusals) {
    this.keys = keys;
    this.throttle = throttle;
    this.refusals = refusals;
  }

  /** Checks a key that was presented from that address. */
  public Verdict check(String key, InetAddress client) {
    Optional<NamedKey> known = keys.verify(key);
    return known.isPresent() ? new Verdict.Right(known.get()) : wrong(client, keys.expired(key));
  }

  /** Answers both alike; only the audit log says which key has expired. */
  private Verdict wrong(InetAddress client, Optional<NamedKey> expired) {
    String reason = expired.isPresent() ? "ADMINISTRATOR_KEY_EXPIRED" : "ADMINISTRATOR_KEY_UNKNOWN";
    return refuse(client, expired.map(NamedKey::name).orElse("-"), reason);
  }

  /** Audits and counts another secret of administrators that was wrong; never returns {@link Verdict.Right}. */
  public Verdict refuse(InetAddress client, String reason) {
    return refuse(client, "-", reason);
  }

  private Verdict refuse(InetAddress client, String name, String reason) {
    try {
      refusals.record("-", client, name, AdminProblems.ADMINISTRATION, reason, "");
    } catch (AuditUnavailable e) {
      return new Verdict.NotAudited();
    }
    return switch (throttle.admit("-", client.getHostAddress(), client, LIMITS)) {
      case GuessThrottle.Admission.Refused refused -> new Verdict.TooMany(refused.retryAfter(), false);
      case GuessThrottle.Admission.Busy busy -> new Verdict.TooMany(busy.retryAfter(), true);
      case GuessThrottle.Admission.Admitted admitted -> {
        admitted.failed();
        yield new Verdict.Wrong();
      }
    };
  }
}
