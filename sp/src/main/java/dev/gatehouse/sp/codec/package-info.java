/**
 * Records as bytes, field by field, for the stores. Depends on nothing of ours but {@code common.store}.
 */
@NullMarked
package dev.gatehouse.sp.codec;

import org.jspecify.annotations.NullMarked;
