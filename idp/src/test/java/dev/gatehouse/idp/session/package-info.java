/** Tests of sessions and levels. */
@NullMarked
package dev.gatehouse.idp.session;

import org.jspecify.annotations.NullMarked;
