/**
 * Authenticates the person at the browser: the login contracts (password form, zero-page, HTTP Basic, certificate), second
 * steps, change of an expired password, and requests that wait for a person. Independent of protocols and partners' metadata; uses
 * common, {@code idp.endpoint} and {@code idp.session}.
 */
@NullMarked
package dev.gatehouse.idp.authn;

import org.jspecify.annotations.NullMarked;
