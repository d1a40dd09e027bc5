/**
 * SessionStore and what both kinds of session share: tokens, ids, indexes, expiry; memory and RocksDB forms.
 */
@NullMarked
package dev.gatehouse.common.session;

import org.jspecify.annotations.NullMarked;
