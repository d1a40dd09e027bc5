package dev.gatehouse.gateway.traffic;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts the open connections of each address; stores nothing for addresses without any. */
public final class ConnectionCount {

  private final Map<AddressBlock, Integer> open = new ConcurrentHashMap<>();
  private final int most;

  public ConnectionCount(int most) {
    this.most = most;
  }

  /** Counts one more connection; returns false, and does not count it, if the limit is reached. */
  public boolean open(AddressBlock address) {
    boolean[] admitted = {false};
    open.compute(
        address,
        (key, count) -> {
          int now = count == null ? 0 : count;
          admitted[0] = now < most;
          return admitted[0] ? Integer.valueOf(now + 1) : count;
        });
    return admitted[0];
  }

  /** The number of addresses with open connections. */
  int addresses() {
    return open.size();
  }

  public void closed(AddressBlock address) {
    open.computeIfPresent(address, (key, count) -> count > 1 ? count - 1 : null);
  }
}
