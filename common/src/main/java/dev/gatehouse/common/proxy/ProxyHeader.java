package dev.gatehouse.common.proxy;

import java.net.InetAddress;

/** What the first bytes of a connection say in the PROXY protocol. */
public sealed interface ProxyHeader {

  /** The bytes are the beginning of a header. */
  record Incomplete() implements ProxyHeader {}

  /** The connection must be closed. */
  record Refused(ProxyRefusal refusal) implements ProxyHeader {}

  /**
   * The balancer speaks for itself ({@code LOCAL}, {@code UNKNOWN}), for example to check health. Its address counts, but what the
   * connection says about other clients does not.
   *
   * @param length of the header in bytes
   */
  record Own(int length) implements ProxyHeader {}

  /**
   * The balancer speaks for a client.
   *
   * @param secure whether the client's connection to the balancer has TLS, if the header says so
   * @param length of the header in bytes
   */
  record Proxied(InetAddress client, boolean secure, int length) implements ProxyHeader {}
}
