/**
 * Persistent federation: the permanent names by which partners know people (SAML Core 8.3.7), their changes by ManageNameID (SAML Core
 * 3.6), and the links from such names to local accounts (SAML Profiles 4.5; federation by linking). Contains the contracts; their
 * implementations are in {@code common.db} and {@code common.directory}. Uses {@code realm} to choose between them.
 */
@NullMarked
package dev.gatehouse.common.federation;

import org.jspecify.annotations.NullMarked;
