/**
 * The console's pages for the entries of a realm's configuration, and for clients that registered at run time. Uses {@code
 * gateway.admin.revision}, {@code gateway.admin.realm} and {@code gateway.console}.
 */
@NullMarked
package dev.gatehouse.gateway.console.realm;

import org.jspecify.annotations.NullMarked;
