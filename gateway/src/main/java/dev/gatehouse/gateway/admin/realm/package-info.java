/**
 * {@code /admin/v1/realms}: realms, partners, routes and registered clients.
 */
@NullMarked
package dev.gatehouse.gateway.admin.realm;

import org.jspecify.annotations.NullMarked;
