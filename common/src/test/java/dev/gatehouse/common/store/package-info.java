/** One contract test for each contract of the stores, and the implementations under test. */
@NullMarked
package dev.gatehouse.common.store;

import org.jspecify.annotations.NullMarked;
