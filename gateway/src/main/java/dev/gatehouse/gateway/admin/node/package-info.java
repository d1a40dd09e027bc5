/** The administration of this node as a whole: whether it is to get requests. */
@NullMarked
package dev.gatehouse.gateway.admin.node;

import org.jspecify.annotations.NullMarked;
