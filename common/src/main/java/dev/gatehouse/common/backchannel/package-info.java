/**
 * Communication with partners' servers without a browser: SOAP calls (SAML Bindings 3.2) and artifacts (SAML Bindings 3.6, Core 3.5,
 * Profiles 5). {@code common.saml} reads, writes and signs; this package sends, matches responses to requests, and stores the messages of
 * artifacts. Uses {@code http}, {@code key}, {@code registry}, {@code saml} and {@code store}. Calls have a deadline and block: on
 * virtual threads only.
 */
@NullMarked
package dev.gatehouse.common.backchannel;

import org.jspecify.annotations.NullMarked;
