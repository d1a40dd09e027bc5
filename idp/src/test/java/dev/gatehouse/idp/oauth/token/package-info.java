/** Tests of how tokens are written and read. */
@NullMarked
package dev.gatehouse.idp.oauth.token;

import org.jspecify.annotations.NullMarked;
