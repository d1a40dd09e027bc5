/** Tests of the cache's logic: freshness, keys, variants, by fixed time. */
@NullMarked
package dev.gatehouse.gateway.cache;

import org.jspecify.annotations.NullMarked;
