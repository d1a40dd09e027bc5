package dev.gatehouse.common.http;

import java.net.InetAddress;
import java.util.function.Predicate;

/** Which addresses may be connected to. It is asked about the very address that is connected to next. */
@FunctionalInterface
interface AddressPolicy {

  boolean permits(Origin origin, InetAddress address);

  /** For addresses that the administrator configured: any. */
  static AddressPolicy any() {
    return (origin, address) -> true;
  }

  /**
   * For addresses that somebody else named: public ones by https.
   *
   * @param allowed addresses that are not public and may be called nevertheless, also without TLS
   */
  static AddressPolicy onlyPublic(Predicate<InetAddress> allowed) {
    return (origin, address) -> allowed.test(address) || (origin.isSecure() && PublicAddresses.isPublic(address));
  }
}
