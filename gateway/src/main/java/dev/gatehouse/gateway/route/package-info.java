/**
 * Which route a request takes: hosts, paths made unambiguous (RFC 3986, section 6.2.2), trusted proxies, and the table
 * that is compiled from all realms and swapped whole. Knows no network.
 */
@NullMarked
package dev.gatehouse.gateway.route;

import org.jspecify.annotations.NullMarked;
