package dev.gatehouse.common.valkey;

import java.util.List;
import java.util.Optional;

/**
 * A check of a new connection, before anything is read or written through it: is this the server and the data that this installation
 * knows? Runs at each reconnect.
 */
@FunctionalInterface
public interface Admission {

  /** Returns why nothing is served through the connection; empty if it is admitted. */
  Optional<String> refusal(Probe probe);

  /** What a check may ask the new connection. */
  interface Probe {
    /** Returns a value of the deployment's namespace, written by {@link ValkeyRecord}. */
    Optional<String> record();

    /** Returns the sequence that running nodes raise; 0 in an empty store. */
    long sequence();

    /** Returns what the server guarantees. */
    ValkeyReport report();
  }

  /** Returns the check that makes all of these in order and gives the first refusal. */
  static Admission all(List<Admission> checks) {
    return probe -> checks.stream().flatMap(check -> check.refusal(probe).stream()).findFirst();
  }
}
