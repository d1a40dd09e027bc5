/**
 * {@code /admin/v1/realms/{realm}/keys}: the keys of a realm, and the steps of their rotation. Private keys are never returned. {@code
 * /admin/v1/key-changes}: events of keys that a command makes or revokes.
 */
@NullMarked
package dev.gatehouse.gateway.admin.key;

import org.jspecify.annotations.NullMarked;
