/**
 * Login contracts, the login form, IdpSession.
 */
@NullMarked
package dev.gatehouse.idp.authn;

import org.jspecify.annotations.NullMarked;
