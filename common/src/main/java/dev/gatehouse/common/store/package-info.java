/**
 * The stores SingleUseStore (codes, artifacts, pending requests), ReplayCache and DueStore (work to be done), codecs,
 * and the RocksDB forms of these and of {@link dev.gatehouse.common.session.SessionStore}, on disk or in memory. The only
 * package that uses org.rocksdb.
 */
@NullMarked
package dev.gatehouse.common.store;

import org.jspecify.annotations.NullMarked;
