/** How names of groups are compared. */
@NullMarked
package dev.gatehouse.common.group;

import org.jspecify.annotations.NullMarked;
