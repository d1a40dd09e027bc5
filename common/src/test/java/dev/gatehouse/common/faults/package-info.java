/** Nodes with shared stores under load, the faults that are done to them, and a ledger of what they acknowledged. */
@NullMarked
package dev.gatehouse.common.faults;

import org.jspecify.annotations.NullMarked;
