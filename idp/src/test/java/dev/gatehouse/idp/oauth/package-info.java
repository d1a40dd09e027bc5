/** Tests of the code that all of OAuth shares. */
@NullMarked
package dev.gatehouse.idp.oauth;

import org.jspecify.annotations.NullMarked;
