/** Gatehouse and software that others wrote from the same specifications, as processes of their own. */
@NullMarked
package dev.gatehouse.gateway.interop;

import org.jspecify.annotations.NullMarked;
