package dev.gatehouse.gateway.traffic;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** How many connections each address has open; holds nothing of those that have none. */
public final class ConnectionCount {

  private final Map<AddressBlock, Integer> open = new ConcurrentHashMap<>();
  private final int most;

  public ConnectionCount(int most) {
    this.most = most;
  }

  /** Counts one more; false, and not counted, where there are enough. */
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

  /** How many addresses have any. */
  int addresses() {
    return open.size();
  }

  public void closed(AddressBlock address) {
    open.computeIfPresent(address, (key, count) -> count > 1 ? count - 1 : null);
  }
}
