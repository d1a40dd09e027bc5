/** How Spring finds the beans of a node. */
@NullMarked
package dev.gatehouse.common.wiring;

import org.jspecify.annotations.NullMarked;
