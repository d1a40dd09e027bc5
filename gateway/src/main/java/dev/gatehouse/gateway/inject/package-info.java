/** Tokens by which apps behind the gateway know whom it let in (RFC 7519), signed once a minute for each session. Knows no network. */
@NullMarked
package dev.gatehouse.gateway.inject;

import org.jspecify.annotations.NullMarked;
