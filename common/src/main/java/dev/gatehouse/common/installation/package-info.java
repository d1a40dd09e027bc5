/**
 * The identity of an installation and its generation: a small record in every store, in the key folder and in the audit log's
 * folder. The records are compared at start, before anything is served. A store that is missing, belongs to another
 * installation or is an older copy is detected and never replaced by an empty one. May use {@link dev.gatehouse.common.key}
 * only.
 */
@NullMarked
package dev.gatehouse.common.installation;

import org.jspecify.annotations.NullMarked;
