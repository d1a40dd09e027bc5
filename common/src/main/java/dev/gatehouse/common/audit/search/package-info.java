/**
 * Searches the audit log: an index in files of H2's MVStore, one for each day, which a follower fills from the log's files. The log is
 * the record; the index can be made again from it at any time.
 */
@NullMarked
package dev.gatehouse.common.audit.search;

import org.jspecify.annotations.NullMarked;
