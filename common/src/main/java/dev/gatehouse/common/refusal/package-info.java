/**
 * Traces of refused requests: for seven days the node knows of each refusal who asked for what, and why it was refused, so that the
 * help desk finds it by the reference of the error page. Which failures are outages, and how requests that failed are logged.
 */
@NullMarked
package dev.gatehouse.common.refusal;

import org.jspecify.annotations.NullMarked;
