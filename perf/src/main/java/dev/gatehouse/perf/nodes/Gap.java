package dev.gatehouse.perf.nodes;

import dev.gatehouse.common.faults.FaultRow;
import dev.gatehouse.common.faults.SharedFault;
import dev.gatehouse.perf.faults.SharedFaults;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * The longest time without an answer that counts, at one fault; see {@code bench faults shared}, which has them all.
 *
 * @param page without a page of an existing session
 * @param work without a login, a token or a registration
 * @param wanted at most, of either
 */
record Gap(String fault, double page, double work, double wanted) {

  private static final double NODE = 2;
  private static final double STORE = 10;
  private static final double MILLIS = 1000;

  static final List<SharedFault> FAULTS =
      List.of(SharedFault.NODE_KILLED, SharedFault.VALKEY_PRIMARY_KILLED, SharedFault.POSTGRESQL_PRIMARY_KILLED);

  static Gap at(SharedFault fault) throws IOException, InterruptedException {
    try {
      FaultRow row = SharedFaults.row(fault);
      return new Gap(
          fault.description(), seconds(row.pageGap()), seconds(row.workGap()), fault == SharedFault.NODE_KILLED ? NODE : STORE);
    } catch (IOException | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / MILLIS;
  }

  boolean kept() {
    return Math.max(page, work) <= wanted;
  }
}
