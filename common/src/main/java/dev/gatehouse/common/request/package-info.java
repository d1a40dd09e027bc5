/** The id of the request that a thread works on. */
@NullMarked
package dev.gatehouse.common.request;

import org.jspecify.annotations.NullMarked;
