package dev.gatehouse.common.refusal;

import dev.gatehouse.common.audit.AuditUnavailable;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.pkcs11.TokenUnavailable;
import dev.gatehouse.common.store.StoreUnavailable;
import java.time.Duration;
import java.util.Optional;
import org.springframework.dao.DataAccessException;

/** What a request needs and the node cannot use now. Edges answer 503 with a page about it, and when to try again. */
public enum Outage {
  STORE("storage-unavailable", "STORAGE_UNAVAILABLE"),
  DATABASE("storage-unavailable", "STORAGE_UNAVAILABLE"),
  SPACE("storage-low", "STORAGE_UNAVAILABLE"),
  AUDIT("audit-unavailable", "AUDIT_UNAVAILABLE"),
  KEYS("keys-unavailable", "KEYS_UNAVAILABLE"),
  DIRECTORY("directory-unavailable", "DIRECTORY_UNAVAILABLE");

  /** After this time a request may be repeated. */
  public static final Duration RETRY = Duration.ofSeconds(10);

  private final String page;
  private final String reason;

  Outage(String page, String reason) {
    this.page = page;
    this.reason = reason;
  }

  /** Returns the outage that a request failed by; empty if it failed otherwise. */
  public static Optional<Outage> of(Throwable fault) {
    return switch (fault) {
      case StoreUnavailable store -> Optional.of(store.isLowOnSpace() ? SPACE : STORE);
      case DataAccessException database -> Optional.of(DATABASE);
      case AuditUnavailable audit -> Optional.of(AUDIT);
      case TokenUnavailable keys -> Optional.of(KEYS);
      case DirectoryUnavailable directory -> Optional.of(DIRECTORY);
      default -> Optional.empty();
    };
  }

  /** Returns the kind of error page. */
  public String page() {
    return page;
  }

  /** Returns the reason for logs and traces. */
  public String reason() {
    return reason;
  }

  /** Returns the value of {@code Retry-After}. */
  public static String retryAfter() {
    return String.valueOf(RETRY.toSeconds());
  }
}
