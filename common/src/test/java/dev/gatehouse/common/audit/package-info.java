/** A recording audit log for all modules' tests, and the tests of the real one. */
@NullMarked
package dev.gatehouse.common.audit;

import org.jspecify.annotations.NullMarked;
