/**
 * Encodes records as bytes, field by field, for the stores. Depends on no package of ours except {@code common.store}.
 */
@NullMarked
package dev.gatehouse.sp.codec;

import org.jspecify.annotations.NullMarked;
