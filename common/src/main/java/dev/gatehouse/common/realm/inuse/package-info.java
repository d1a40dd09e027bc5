/** The realms in use: taken over as a whole, from files that are followed or from a revision. */
@NullMarked
package dev.gatehouse.common.realm.inuse;

import org.jspecify.annotations.NullMarked;
