/** Tests of what all endpoints share. */
@NullMarked
package dev.gatehouse.idp.endpoint;

import org.jspecify.annotations.NullMarked;
