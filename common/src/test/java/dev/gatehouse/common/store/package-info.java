/** One contract test for each contract of the stores, and the forms that keep it. */
@NullMarked
package dev.gatehouse.common.store;

import org.jspecify.annotations.NullMarked;
