/**
 * The service provider, through which every part of Gatehouse logs people in at identity providers. Depends on common
 * only and has no listener of its own.
 */
@NullMarked
package dev.gatehouse.sp;

import org.jspecify.annotations.NullMarked;
