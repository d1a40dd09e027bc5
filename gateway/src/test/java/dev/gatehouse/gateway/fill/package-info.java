/** Tests of form fill's logic: pages that people may have written parts of. */
@NullMarked
package dev.gatehouse.gateway.fill;

import org.jspecify.annotations.NullMarked;
