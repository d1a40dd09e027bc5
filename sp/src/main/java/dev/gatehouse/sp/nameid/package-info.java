/**
 * What becomes of links between identity providers' names and local accounts (SAML Core 3.6.3, Profiles 4.5): identity
 * providers change or end a name, people and administrators end a link, and identity providers are told. The exchange itself
 * is {@code common.nameid}'s, the links are {@code common.federation}'s.
 */
@NullMarked
package dev.gatehouse.sp.nameid;

import org.jspecify.annotations.NullMarked;
