package dev.gatehouse.common.realm;

import java.time.Duration;

/**
 * A session ends after {@code idle} without a request, and in any case at {@code absolute} after the login.
 *
 * @param assurance whether sessions are bound to devices
 */
public record SessionTimeouts(Duration idle, Duration absolute, SessionAssurance assurance) {

  /** Creates timeouts of sessions that are not bound to devices. */
  public SessionTimeouts(Duration idle, Duration absolute) {
    this(idle, absolute, SessionAssurance.OFF);
  }
}
