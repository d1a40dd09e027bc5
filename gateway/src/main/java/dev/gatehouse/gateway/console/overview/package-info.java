/** What the overview of the console shows besides lists: rates of the last hour, and certificates of the node itself. */
@NullMarked
package dev.gatehouse.gateway.console.overview;

import org.jspecify.annotations.NullMarked;
