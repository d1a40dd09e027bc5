/** Tests of sessions and of what is sealed for their browsers. */
@NullMarked
package dev.gatehouse.common.session;

import org.jspecify.annotations.NullMarked;
