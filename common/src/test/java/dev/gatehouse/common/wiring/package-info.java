@NullMarked
package dev.gatehouse.common.wiring;

import org.jspecify.annotations.NullMarked;
