/** {@code /admin/v1/health}: the state of everything that this node depends on. */
@NullMarked
package dev.gatehouse.gateway.admin.health;

import org.jspecify.annotations.NullMarked;
