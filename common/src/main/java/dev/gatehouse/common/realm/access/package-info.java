/** Keys of the configuration that say who may have a token and come in by it, and when. */
@NullMarked
package dev.gatehouse.common.realm.access;

import org.jspecify.annotations.NullMarked;
