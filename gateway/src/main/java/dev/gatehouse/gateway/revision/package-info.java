/** The revisions of the configuration on a node. */
@NullMarked
package dev.gatehouse.gateway.revision;

import org.jspecify.annotations.NullMarked;
