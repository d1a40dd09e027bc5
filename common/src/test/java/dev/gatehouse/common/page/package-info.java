/** The page renderer's tests, and the contract that every module's templates and texts keep. */
@NullMarked
package dev.gatehouse.common.page;

import org.jspecify.annotations.NullMarked;
