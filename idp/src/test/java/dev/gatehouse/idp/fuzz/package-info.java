/** Runs the fuzz targets of this module. */
@NullMarked
package dev.gatehouse.idp.fuzz;

import org.jspecify.annotations.NullMarked;
