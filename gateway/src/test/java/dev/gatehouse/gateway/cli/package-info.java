@NullMarked
package dev.gatehouse.gateway.cli;

import org.jspecify.annotations.NullMarked;
