/**
 * What partners' servers tell each other without a browser: SOAP calls (SAML Bindings 3.2) and artifacts (SAML Bindings
 * 3.6, Core 3.5, Profiles 5). Reading, writing and signatures are {@code common.saml}'s; this package sends, matches
 * answers to requests, and keeps what artifacts stand for. Uses {@code http}, {@code key}, {@code registry}, {@code
 * saml} and {@code store}. Calls have a deadline and block: on virtual threads only.
 */
@NullMarked
package dev.gatehouse.common.backchannel;

import org.jspecify.annotations.NullMarked;
