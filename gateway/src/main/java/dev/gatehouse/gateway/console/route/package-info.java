/**
 * The console's pages for the traffic of apps: servers, stored responses and maintenance of routes. Uses {@code gateway.admin.route} and
 * {@code gateway.console}.
 */
@NullMarked
package dev.gatehouse.gateway.console.route;

import org.jspecify.annotations.NullMarked;
