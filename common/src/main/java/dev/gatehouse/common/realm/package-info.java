/**
 * The configuration as one immutable value per realm, and the node's own: loading from YAML, complete validation, differences,
 * revisions, reload.
 */
@NullMarked
package dev.gatehouse.common.realm;

import org.jspecify.annotations.NullMarked;
