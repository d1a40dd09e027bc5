/**
 * A person's consent to what a partner is told of them: the question, the answer that is remembered, and taking it back.
 * Knows no protocol: what is to be told comes as {@link dev.gatehouse.idp.consent.PendingRelease}. Uses common, {@code
 * idp.authn} and {@code idp.endpoint}.
 */
@NullMarked
package dev.gatehouse.idp.consent;

import org.jspecify.annotations.NullMarked;

