/** What is wanted of the work that decides. All reports that say so read it here. */
@NullMarked
package dev.gatehouse.perf.targets;

import org.jspecify.annotations.NullMarked;
