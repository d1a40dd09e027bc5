/** What is counted, stored and noticed. */
@NullMarked
package dev.gatehouse.common.analytics.collect;

import org.jspecify.annotations.NullMarked;
