/** Tests of the authorization endpoint's parts. */
@NullMarked
package dev.gatehouse.idp.oauth.authorize;

import org.jspecify.annotations.NullMarked;
