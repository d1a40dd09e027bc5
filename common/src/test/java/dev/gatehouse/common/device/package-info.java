/** Tests of fingerprints. */
@NullMarked
package dev.gatehouse.common.device;

import org.jspecify.annotations.NullMarked;
