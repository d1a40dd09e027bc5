/**
 * The shared cache in memory (RFC 9111): what may be kept and for how long, keys and variants, validation, ranges, the
 * Age and Cache-Status (RFC 9211) of an answer. Authorisation has happened before anybody asks here. Knows no network.
 */
@NullMarked
package dev.gatehouse.gateway.cache;

import org.jspecify.annotations.NullMarked;
