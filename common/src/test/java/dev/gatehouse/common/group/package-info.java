@NullMarked
package dev.gatehouse.common.group;

import org.jspecify.annotations.NullMarked;
