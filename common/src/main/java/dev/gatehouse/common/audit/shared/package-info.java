/**
 * The audit events of all nodes in PostgreSQL, for searches: each node follows its own files, which are the record, and loads them into
 * partitions by day.
 */
@NullMarked
package dev.gatehouse.common.audit.shared;

import org.jspecify.annotations.NullMarked;
