package dev.gatehouse.gateway.route;

import dev.gatehouse.common.http.Origin;
import java.net.InetAddress;

/**
 * The host and origin that a request is addressed to, as the client sees them.
 *
 * @param client the client's address after trusted proxies
 * @param forwarded Host and the forwarding fields for the app, encoded
 */
public record AddressedHost(RouteTable table, VirtualHost site, Origin origin, InetAddress client, byte[] forwarded) {}
