/** Amounts, reports, and the store of analytics. */
@NullMarked
package dev.gatehouse.common.analytics;

import org.jspecify.annotations.NullMarked;
