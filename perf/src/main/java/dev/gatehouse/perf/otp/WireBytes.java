package dev.gatehouse.perf.otp;

import java.util.concurrent.atomic.LongAdder;

/** Bytes on the wire, with the headers of IP and its transport. */
final class WireBytes {

  private final LongAdder bytes = new LongAdder();
  private final LongAdder exchanges = new LongAdder();

  void add(long both) {
    bytes.add(both);
    exchanges.increment();
  }

  double each() {
    return (double) bytes.sum() / Math.max(1, exchanges.sum());
  }
}
