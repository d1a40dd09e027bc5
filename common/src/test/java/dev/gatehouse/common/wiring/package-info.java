@NullMarked
package dev.gatehouse.common.wait;

import org.jspecify.annotations.NullMarked;
