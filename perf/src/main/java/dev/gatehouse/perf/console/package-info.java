/** How fast the console's pages are, and how many people can use it at once. */
@NullMarked
package dev.gatehouse.perf.console;

import org.jspecify.annotations.NullMarked;
