package dev.gatehouse.gateway.keychange;

import dev.gatehouse.common.key.KeyChange;

/** The audit log for keys that are made or revoked on the host, whether the node runs or not. */
public interface KeyChangeLog {

  /** Records the change. If that fails it throws, and the change must not be made. */
  void record(KeyChange change);
}
