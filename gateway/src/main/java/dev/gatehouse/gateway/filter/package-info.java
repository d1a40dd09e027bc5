/**
 * What is changed in the heads that pass: hop-by-hop fields and forged identities removed, identity and forwarding
 * fields added, our own cookies kept to ourselves (RFC 9110, section 7.6; RFC 7239). Knows no network.
 */
@NullMarked
package dev.gatehouse.gateway.filter;

import org.jspecify.annotations.NullMarked;
