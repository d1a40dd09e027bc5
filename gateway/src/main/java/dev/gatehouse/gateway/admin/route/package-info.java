/**
 * Maintenance of routes, kept responses and servers of apps.
 */
@NullMarked
package dev.gatehouse.gateway.admin.route;

import org.jspecify.annotations.NullMarked;
