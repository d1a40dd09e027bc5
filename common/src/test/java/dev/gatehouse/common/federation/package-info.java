@NullMarked
package dev.gatehouse.common.federation;

import org.jspecify.annotations.NullMarked;
