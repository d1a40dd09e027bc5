/**
 * AuthnRequest issue, pending requests bound to the browser, choice of identity provider (SAML Profiles 4.1).
 */
@NullMarked
package dev.gatehouse.sp.login;

import org.jspecify.annotations.NullMarked;
