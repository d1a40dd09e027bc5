/** The search of the audit log over many events. */
@NullMarked
package dev.gatehouse.perf.audit;

import org.jspecify.annotations.NullMarked;
