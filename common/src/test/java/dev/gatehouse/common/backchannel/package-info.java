/** Tests of the back channel. */
@NullMarked
package dev.gatehouse.common.backchannel;

import org.jspecify.annotations.NullMarked;
