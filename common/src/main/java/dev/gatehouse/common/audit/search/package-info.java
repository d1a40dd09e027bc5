/**
 * Searches the audit log: an inverted index in files that are never changed, some for each day, which a follower makes from the log's
 * files. The log is the record; the index can be made again from it at any time.
 */
@NullMarked
package dev.gatehouse.common.audit.search;

import org.jspecify.annotations.NullMarked;
