package dev.gatehouse.gateway.route;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.gateway.message.Malformation;
import java.net.InetAddress;

/** The result of determining the host that a request is addressed to. */
public sealed interface Addressing {
  record To(AddressedHost addressed) implements Addressing {}

  /** No realm of this node serves that origin. */
  record Unknown(Origin origin, InetAddress client) implements Addressing {}

  record Malformed(Malformation malformation) implements Addressing {}
}
