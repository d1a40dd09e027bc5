package dev.gatehouse.common.http;

import java.net.InetAddress;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/** Decides which addresses may be connected to. The caller connects to exactly the address that it asked about. */
@FunctionalInterface
interface AddressPolicy {

  boolean permits(Origin origin, InetAddress address);

  /** Permits what this policy permits, but no connection that the test finds. */
  default AddressPolicy except(BiPredicate<InetAddress, Integer> closed) {
    return (origin, address) -> !closed.test(address, origin.port()) && permits(origin, address);
  }

  /** Permits any address: for addresses that the administrator configured. */
  static AddressPolicy any() {
    return (origin, address) -> true;
  }

  /**
   * Permits public addresses by https: for addresses that somebody other than the administrator named.
   *
   * @param allowed addresses that are permitted although they are not public, also without TLS
   */
  static AddressPolicy onlyPublic(Predicate<InetAddress> allowed) {
    return (origin, address) -> allowed.test(address) || (origin.isSecure() && PublicAddresses.isPublic(address));
  }
}
