/**
 * SingleUseStore (codes, artifacts, pending requests) and ReplayCache; memory and RocksDB forms. The only home of
 * org.rocksdb.
 */
@NullMarked
package dev.gatehouse.common.store;

import org.jspecify.annotations.NullMarked;
