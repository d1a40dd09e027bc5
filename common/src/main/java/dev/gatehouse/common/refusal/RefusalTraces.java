package dev.gatehouse.common.refusal;

import java.io.IOException;
import java.util.List;

/** The traces of refused requests. */
public interface RefusalTraces {

  /** Keeps nothing. */
  RefusalTraces NONE =
      new RefusalTraces() {
        @Override
        public void record(RefusalTrace trace) {}

        @Override
        public List<RefusalTrace> find(String requestId) {
          return List.of();
        }

        @Override
        public int forget(String realm, String person) {
          return 0;
        }
      };

  /** Keeps a trace. Never blocks and never fails: what cannot be kept is lost and counted. */
  void record(RefusalTrace trace);

  /**
   * Returns the traces with that request id, the newest first. There may be several: one request may be refused more than once, and a
   * trusted proxy may send an id twice.
   *
   * @throws IOException if the files cannot be read
   */
  List<RefusalTrace> find(String requestId) throws IOException;

  /**
   * Removes the traces of a person, for the erasure of their data; returns how many there were.
   *
   * @param person the id in the audit log or the user name
   * @throws IOException if a file could not be written; it is as it was then
   */
  int forget(String realm, String person) throws IOException;
}
