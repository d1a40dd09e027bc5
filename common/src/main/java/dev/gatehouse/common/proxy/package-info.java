/**
 * What trusted proxies and balancers state of the client: the header of the PROXY protocol before a connection's first byte, and the
 * field Forwarded (RFC 7239). Statements of strangers do not count.
 */
@NullMarked
package dev.gatehouse.common.proxy;

import org.jspecify.annotations.NullMarked;
