@NullMarked
package dev.gatehouse.common.logout;

import org.jspecify.annotations.NullMarked;
