/**
 * Changes of links between identity providers' names and local accounts (SAML Core 3.6.3, Profiles 4.5): identity
 * providers change or terminate a name, people and administrators remove a link, and identity providers are notified.
 * {@code common.nameid} implements the exchange, {@code common.federation} stores the links.
 */
@NullMarked
package dev.gatehouse.sp.nameid;

import org.jspecify.annotations.NullMarked;
