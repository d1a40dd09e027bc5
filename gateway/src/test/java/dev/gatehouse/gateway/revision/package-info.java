/** What commands do with revisions. */
@NullMarked
package dev.gatehouse.gateway.revision;

import org.jspecify.annotations.NullMarked;
