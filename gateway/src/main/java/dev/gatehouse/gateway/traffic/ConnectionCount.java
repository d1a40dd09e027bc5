package dev.gatehouse.gateway.traffic;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Counts the open connections of each address; stores nothing for addresses without any. */
public final class ConnectionCount {

  private final Map<AddressBlock, OfAddress> open = new ConcurrentHashMap<>();
  private final int most;

  /** The connections of one address. */
  public static final class OfAddress {

    /** The count of a trusted proxy, whose connections are those of many clients: it is always 0. */
    public static final OfAddress NONE = new OfAddress();

    /** Written under the map's lock of its address. */
    private volatile int count;

    private OfAddress() {}

    /** The number of open connections. */
    public int open() {
      return count;
    }
  }

  public ConnectionCount(int most) {
    this.most = most;
  }

  /**
   * Counts one more connection, unless the limit is reached. {@link #closed} must follow for a connection that was counted.
   */
  @SuppressWarnings("NonAtomicOperationOnVolatileField") // under the map's lock of its address
  public Optional<OfAddress> open(AddressBlock address) {
    boolean[] admitted = {false};
    OfAddress counted =
        open.compute(
            address,
            (key, known) -> {
              OfAddress now = known == null ? new OfAddress() : known;
              if (now.count >= most) {
                return known;
              }
              admitted[0] = true;
              now.count++;
              return now;
            });
    return admitted[0] ? Optional.of(counted) : Optional.empty();
  }

  /** The number of addresses with open connections. */
  int addresses() {
    return open.size();
  }

  /** Counts one connection less. */
  @SuppressWarnings("NonAtomicOperationOnVolatileField") // under the map's lock of its address
  public void closed(AddressBlock address) {
    open.computeIfPresent(
        address,
        (key, known) -> {
          known.count--;
          return known.count > 0 ? known : null;
        });
  }
}
