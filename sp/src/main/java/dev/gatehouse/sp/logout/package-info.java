/**
 * Logout from both sides (SAML Profiles 4.4, Core 3.7), started here by a person or by the identity provider's
 * LogoutRequest. Sessions end before messages are sent. Uses session of this module.
 */
@NullMarked
package dev.gatehouse.sp.logout;

import org.jspecify.annotations.NullMarked;
