/** Rotation on disk, strength of keys, administrators' keys. */
@NullMarked
package dev.gatehouse.common.key;

import org.jspecify.annotations.NullMarked;
