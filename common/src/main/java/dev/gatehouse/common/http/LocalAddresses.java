package dev.gatehouse.common.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;

/** Addresses of this machine. */
public final class LocalAddresses {

  private LocalAddresses() {}

  /** Returns whether a connection to that address and port arrives at a listener; a listener of port 0 is at none. */
  public static boolean arrivesAt(InetSocketAddress listener, InetAddress address, int port) {
    InetAddress bound = listener.getAddress();
    if (port == 0 || port != listener.getPort()) {
      return false;
    }
    boolean isUnspecified = address.isAnyLocalAddress();
    return bound.isAnyLocalAddress()
        ? isUnspecified || isLocal(address)
        : address.equals(bound) || isUnspecified && bound.isLoopbackAddress();
  }

  private static boolean isLocal(InetAddress address) {
    if (address.isLoopbackAddress()) {
      return true;
    }
    try {
      return NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      // Without a list of our addresses, none counts as foreign.
      return true;
    }
  }
}
