/** Tests of the codecs. */
@NullMarked
package dev.gatehouse.common.codec;

import org.jspecify.annotations.NullMarked;
