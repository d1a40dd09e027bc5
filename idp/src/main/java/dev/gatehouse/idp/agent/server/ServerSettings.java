package dev.gatehouse.idp.agent.server;

import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;

/**
 * Which servers an agent asks, and how.
 *
 * @param servers the realm at each server, such as {@code https://login.example.org/realms/staff}; asked in this order if it is pinned
 * @param isPinned whether the order counts, and not the time that servers take
 * @param authorities who issues the servers' certificates; those of the JDK if there are none
 */
public record ServerSettings(List<URI> servers, boolean isPinned, AgentKey key, List<X509Certificate> authorities, Times times) {

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
