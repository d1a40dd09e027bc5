/** The console's pages for the roles of people as administrators. Uses {@code gateway.admin.administrator} and {@code gateway.console}. */
@NullMarked
package dev.gatehouse.gateway.console.administrator;

import org.jspecify.annotations.NullMarked;
