/**
 * The console's pages for what belongs to a person beside sessions: second factors, authorizations of OAuth clients, names and links at
 * partners, stored passwords. Uses {@code gateway.admin.person} and {@code gateway.console}.
 */
@NullMarked
package dev.gatehouse.gateway.console.person;

import org.jspecify.annotations.NullMarked;
