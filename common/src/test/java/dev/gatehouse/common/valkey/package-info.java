@NullMarked
package dev.gatehouse.common.valkey;

import org.jspecify.annotations.NullMarked;
