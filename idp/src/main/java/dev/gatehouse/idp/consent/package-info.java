/**
 * A person's consent to the release of attributes to a partner: the question, the stored answer, and its revocation.
 * Independent of protocols: a release comes as {@link dev.gatehouse.idp.consent.PendingRelease}. Uses common,
 * {@code idp.authn} and {@code idp.endpoint}.
 */
@NullMarked
package dev.gatehouse.idp.consent;

import org.jspecify.annotations.NullMarked;

