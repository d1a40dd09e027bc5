/** Tests of the group of commits. */
@NullMarked
package dev.gatehouse.common.db.group;

import org.jspecify.annotations.NullMarked;
