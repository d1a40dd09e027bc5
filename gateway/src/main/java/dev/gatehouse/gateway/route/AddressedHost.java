package dev.gatehouse.gateway.route;

import dev.gatehouse.common.http.Origin;
import java.net.InetAddress;

/**
 * Who asked for what: the origin as the client addressed it.
 *
 * @param client after trusted proxies
 * @param forwarded Host and the forwarding fields for the app, encoded
 */
public record AddressedHost(RouteTable table, VirtualHost site, Origin origin, InetAddress client, byte[] forwarded) {}
