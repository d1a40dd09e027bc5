/**
 * Device authorization (RFC 8628): a device without a keyboard gets two codes, and a person enters the short one on one
 * of our pages in another browser. {@code idp.oauth.token} redeems device codes.
 *
 * <p>May use {@code idp.oauth} and the packages below it, and {@code idp.authn}.
 */
@NullMarked
package dev.gatehouse.idp.oauth.device;

import org.jspecify.annotations.NullMarked;
