/**
 * NameIDs that the identity provider gives out: transient, persistent and e-mail (SAML Core 8.3.2, 8.3.7, 8.3.8).
 */
@NullMarked
package dev.gatehouse.idp.saml.nameid;

import org.jspecify.annotations.NullMarked;
