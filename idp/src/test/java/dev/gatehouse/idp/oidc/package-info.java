/** Tests of tokens, keys and logout of the OpenID provider. */
@NullMarked
package dev.gatehouse.idp.oidc;

import org.jspecify.annotations.NullMarked;
