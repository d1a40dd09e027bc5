/** Revisions of the configuration: what is stored, what differs, and that no secret is shown. */
@NullMarked
package dev.gatehouse.common.revision;

import org.jspecify.annotations.NullMarked;
