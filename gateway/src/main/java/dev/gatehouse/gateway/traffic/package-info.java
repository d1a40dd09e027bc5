/**
 * How much the gateway lets itself be asked: rates of requests (token buckets of Bucket4j, bounded in number) and the
 * memory that is kept for people who have a session. Knows nothing of connections; {@code netty} asks it.
 */
@NullMarked
package dev.gatehouse.gateway.traffic;

import org.jspecify.annotations.NullMarked;
