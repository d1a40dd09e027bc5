/**
 * The revisions of the configuration: immutable trees of files in the relational database, with author, time and reason; what
 * differs between two of them, as text and by the declared keys. Secrets are never part of what is shown.
 */
@NullMarked
package dev.gatehouse.common.revision;

import org.jspecify.annotations.NullMarked;
