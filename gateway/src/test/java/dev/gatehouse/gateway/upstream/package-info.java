/** Tests of how servers of apps are chosen. */
@NullMarked
package dev.gatehouse.gateway.upstream;

import org.jspecify.annotations.NullMarked;
