/**
 * Persistent federation: the names that partners know people by for good (SAML Core 8.3.7), what ManageNameID changes about
 * them (SAML Core 3.6), and the links from such names to local accounts (SAML Profiles 4.5; federation by linking). The
 * contracts; their forms are in {@code common.db} and {@code common.directory}. Uses {@code realm} to choose between them.
 */
@NullMarked
package dev.gatehouse.common.federation;

import org.jspecify.annotations.NullMarked;
