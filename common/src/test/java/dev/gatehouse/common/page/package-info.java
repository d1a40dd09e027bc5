/** The page renderer's tests, and the contract of every module's templates and texts. */
@NullMarked
package dev.gatehouse.common.page;

import org.jspecify.annotations.NullMarked;
