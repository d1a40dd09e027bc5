/** Tests of the sign-on profile's own parts. */
@NullMarked
package dev.gatehouse.idp.saml.sso;

import org.jspecify.annotations.NullMarked;
