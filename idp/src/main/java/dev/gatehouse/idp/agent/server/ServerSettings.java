package dev.gatehouse.idp.agent.server;

import java.net.InetSocketAddress;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;

/**
 * Which servers an agent asks, and how.
 *
 * @param realm its address, such as {@code https://login.example.org/realms/staff}: whom requests are for, and whose certificate counts
 * @param servers where connections go, not resolved
 * @param isPinned whether the order counts, and not the time that servers take
 * @param authorities who issues the servers' certificates; those of the JDK if there are none
 */
public record ServerSettings(
    URI realm, List<InetSocketAddress> servers, boolean isPinned, AgentKey key, List<X509Certificate> authorities, Times times) {

  /**
   * How long an agent waits.
   *
   * @param connect for a connection
   * @param probe for the answer to a probe: what a server costs that hangs, once
   * @param request for the decision about a passcode
   * @param between from one round of probes to the next
   */
  public record Times(Duration connect, Duration probe, Duration request, Duration between) {}
}
