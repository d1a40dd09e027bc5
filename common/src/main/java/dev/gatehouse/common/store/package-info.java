/**
 * SingleUseStore (codes, artifacts, pending requests), ReplayCache and DueStore (what is yet to be done), and the memory
 * and RocksDB forms of these and of {@link
 * dev.gatehouse.common.session.SessionStore}. The only home of org.rocksdb.
 */
@NullMarked
package dev.gatehouse.common.store;

import org.jspecify.annotations.NullMarked;
