/** Fakes and fixtures that the tests of all modules use. */
@NullMarked
package dev.gatehouse.common;

import org.jspecify.annotations.NullMarked;
