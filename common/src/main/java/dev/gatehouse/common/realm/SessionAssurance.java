package dev.gatehouse.common.realm;

/** Whether the gateway checks that a session's requests come from the device of its login. */
public enum SessionAssurance {
  OFF,
  /** Differences are counted and audited; every request goes on. */
  OBSERVE,
  /** A request from elsewhere needs a fresh login. */
  ENFORCE
}
