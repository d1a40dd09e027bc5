/**
 * Collects the analytics of a node. A thread of its own reads the audit log and the metrics, keeps the last minutes by second in memory,
 * adds sums to the store, and notices unusual patterns of logins. Requests do no work for it.
 */
@NullMarked
package dev.gatehouse.common.analytics.collect;

import org.jspecify.annotations.NullMarked;
