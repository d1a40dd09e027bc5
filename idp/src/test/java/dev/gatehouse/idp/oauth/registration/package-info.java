/** Tests of what clients say of themselves when they register. */
@NullMarked
package dev.gatehouse.idp.oauth.registration;

import org.jspecify.annotations.NullMarked;
