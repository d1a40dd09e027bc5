/**
 * The shared cache in memory (RFC 9111): storability and lifetimes, keys and variants, validation, ranges, and the Age
 * and Cache-Status (RFC 9211) of answers. Requests are authorized before they reach the cache. Has no network access.
 */
@NullMarked
package dev.gatehouse.gateway.cache;

import org.jspecify.annotations.NullMarked;
