/** Tests of what clients are. */
@NullMarked
package dev.gatehouse.idp.oauth.client;

import org.jspecify.annotations.NullMarked;
