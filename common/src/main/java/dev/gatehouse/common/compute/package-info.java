/** Threads for what computes for milliseconds: on the carriers of virtual threads it would hold up everybody else. */
@NullMarked
package dev.gatehouse.common.compute;

import org.jspecify.annotations.NullMarked;
