/** Histograms and their bound. */
@NullMarked
package dev.gatehouse.common.metric;

import org.jspecify.annotations.NullMarked;
