/**
 * The identity provider's NameIDs: transient, persistent and e-mail (SAML Core 8.3.2, 8.3.7, 8.3.8), and Name
 * Identifier Management (SAML Core 3.6, Profiles 4.5), by which service providers, people and administrators change
 * persistent ones. {@code common.nameid} implements the exchange.
 */
@NullMarked
package dev.gatehouse.idp.saml.nameid;

import org.jspecify.annotations.NullMarked;
