/** Tests of the formats of stored records: what was recorded of former versions is read. */
@NullMarked
package dev.gatehouse.gateway.formats;

import org.jspecify.annotations.NullMarked;
