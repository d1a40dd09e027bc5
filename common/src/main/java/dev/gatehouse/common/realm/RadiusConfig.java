package dev.gatehouse.common.realm;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * RADIUS of a realm: who may ask about its people's passcodes, and what they are told about an accepted person.
 *
 * @param clients by unique names
 * @param replies the first one that fits counts; if there are some and none fits, the person is rejected
 */
public record RadiusConfig(List<Client> clients, List<Reply> replies) {

  /**
   * A VPN server, Wi-Fi gateway or proxy.
   *
   * @param addresses where its packets over UDP come from; none if it has no secret
   * @param secret shared with it, for UDP
   * @param certificate the DNS name in its certificate, for TLS; in lower case
   * @param roles people must have one of these; any person if there are none
   * @param language of what people read: {@code en} or {@code de}
   */
  public record Client(
      String name, List<Cidr> addresses, Optional<Secret> secret, Optional<String> certificate, Set<String> roles, String language) {}

  /**
   * Attributes of an Access-Accept.
   *
   * @param roles the person has one of these; anybody if there are none
   * @param clients names of clients; any if there are none
   * @param attributes what the client is told
   */
  public record Reply(Set<String> roles, Set<String> clients, Attributes attributes) {}

  /**
   * What a client is told about a person.
   *
   * @param filterId name of a filter at the client (RFC 2865, section 5.11)
   * @param classValue what the client repeats in its accounting (RFC 2865, section 5.25)
   * @param vlan number or name of a VLAN, told by three attributes of tunnels (RFC 3580, section 3.31)
   * @param sessionTimeout after which the client ends the session (RFC 2865, section 5.27)
   */
  public record Attributes(
      Optional<String> filterId, Optional<String> classValue, Optional<String> vlan, Optional<Duration> sessionTimeout) {

    /** No attributes. */
    public static final Attributes NONE = new Attributes(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }
}
