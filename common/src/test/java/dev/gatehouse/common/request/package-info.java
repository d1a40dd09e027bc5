/** Ids of requests. */
@NullMarked
package dev.gatehouse.common.request;

import org.jspecify.annotations.NullMarked;
