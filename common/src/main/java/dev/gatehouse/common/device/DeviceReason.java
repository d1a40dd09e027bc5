package dev.gatehouse.common.device;

import java.util.Locale;

/** The reasons for which a request is not of the session's device. */
public enum DeviceReason {
  FINGERPRINT_DIFFERS,
  /** The session is bound to a key that the browser has not proved lately. */
  KEY_NOT_PROVED,
  /** The browser has not registered a key in time. */
  KEY_MISSING;

  /** Returns the word in audit log and metrics. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
