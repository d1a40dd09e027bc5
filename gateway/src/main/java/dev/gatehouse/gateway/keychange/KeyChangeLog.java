package dev.gatehouse.gateway.keychange;

import dev.gatehouse.common.key.KeyChange;

/** The audit log for keys that are made or revoked on the host, whether the node runs or not. */
public interface KeyChangeLog {

  /** Records the change, or throws: then a new key must not be made, and a revoked one stays revoked. */
  void record(KeyChange change);
}
