/**
 * The configuration as one immutable value per realm, and the node's own: load from YAML, validate whole, diff,
 * revisions, reload.
 */
@NullMarked
package dev.gatehouse.common.realm;

import org.jspecify.annotations.NullMarked;
