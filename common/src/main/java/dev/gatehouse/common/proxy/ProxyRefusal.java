package dev.gatehouse.common.proxy;

import java.util.Locale;

/** The reason why a connection to a listener with {@code proxyProtocol} is closed. */
public enum ProxyRefusal {
  UNTRUSTED("its address is not in trustedProxies; add the balancer there, or let clients use the balancer"),
  MISSING("it does not begin with a PROXY header; let the balancer send one, or remove proxyProtocol from the listener"),
  MALFORMED("its PROXY header is malformed"),
  UNSUPPORTED("its PROXY header names neither TCP over IPv4 nor TCP over IPv6"),
  TOO_LARGE("its PROXY header is larger than a balancer's; at most 107 bytes of version 1 and 4 KB of version 2 are read"),
  TOO_SLOW("its PROXY header did not arrive within 5 seconds");

  private final String sentence;

  ProxyRefusal(String sentence) {
    this.sentence = sentence;
  }

  /** Says why the connection is closed, and what would be right. */
  public String sentence() {
    return sentence;
  }

  /** The label of the metric. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
