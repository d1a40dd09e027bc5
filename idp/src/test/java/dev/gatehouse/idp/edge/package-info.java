/** Tests of the edge. */
@NullMarked
package dev.gatehouse.idp.edge;

import org.jspecify.annotations.NullMarked;
