@NullMarked
package dev.gatehouse.common.sealed;

import org.jspecify.annotations.NullMarked;
