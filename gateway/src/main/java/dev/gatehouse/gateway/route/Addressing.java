package dev.gatehouse.gateway.route;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.gateway.message.Malformation;
import java.net.InetAddress;

/** What came of looking at whom a request is addressed to. */
public sealed interface Addressing {
  record To(AddressedHost addressed) implements Addressing {}

  /** Nobody here serves that origin. */
  record Unknown(Origin origin, InetAddress client) implements Addressing {}

  record Malformed(Malformation malformation) implements Addressing {}
}
