/** Tests of the encoding of tokens. */
@NullMarked
package dev.gatehouse.idp.oauth.token;

import org.jspecify.annotations.NullMarked;
