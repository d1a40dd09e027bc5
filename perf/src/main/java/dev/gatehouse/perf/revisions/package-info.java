/** How long a change of a large configuration takes, under load and with kills. */
@NullMarked
package dev.gatehouse.perf.revisions;

import org.jspecify.annotations.NullMarked;
