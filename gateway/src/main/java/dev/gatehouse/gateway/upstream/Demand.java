package dev.gatehouse.gateway.upstream;

/** The demand of a client that needs one more connection to an app. The lower it is, the more permits the client may use. */
public enum Demand {
  /** Its connection has few requests under way, its address few connections. */
  FEW(0),
  /** Its connection has few requests under way, but its address has many connections: a NAT, or an attacker. */
  ADDRESS_HAS_MANY(8),
  /** Its connection has many requests under way. */
  CONNECTION_HAS_MANY(4);

  /** Requests to apps that a connection may have under way before it has many. */
  public static final int FEW_REQUESTS = 8;

  /** Connections that an address may have open before it has many. */
  public static final int FEW_CONNECTIONS = 64;

  /** The part of all permits that is left to others: 4 is a quarter, 0 is nothing. */
  private final int kept;

  Demand(int kept) {
    this.kept = kept;
  }

  /**
   * Its demand.
   *
   * @param connections that its address has open
   * @param requests to apps that its connection has under way
   */
  public static Demand of(int connections, int requests) {
    if (requests > FEW_REQUESTS) {
      return CONNECTION_HAS_MANY;
    }
    return connections > FEW_CONNECTIONS ? ADDRESS_HAS_MANY : FEW;
  }

  /** The number of permits, out of all, that such a client may use. */
  int share(int all) {
    return kept == 0 ? all : all - all / kept;
  }
}
