/** What surrounds stored records: sealing, cookies and files. Their bytes are recorded, so that versions read each other's. */
@NullMarked
package dev.gatehouse.common.envelope;

import org.jspecify.annotations.NullMarked;
