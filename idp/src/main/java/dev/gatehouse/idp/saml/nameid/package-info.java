/**
 * NameIDs that the identity provider gives out: transient, persistent and e-mail (SAML Core 8.3.2, 8.3.7, 8.3.8), and Name
 * Identifier Management (SAML Core 3.6, Profiles 4.5): what service providers, people and administrators change about
 * persistent ones. The exchange itself is {@code common.nameid}'s.
 */
@NullMarked
package dev.gatehouse.idp.saml.nameid;

import org.jspecify.annotations.NullMarked;
