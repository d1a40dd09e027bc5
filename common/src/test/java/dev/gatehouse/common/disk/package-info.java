/** Tests of full disks and of disks that became read-only. */
@NullMarked
package dev.gatehouse.common.disk;

import org.jspecify.annotations.NullMarked;
