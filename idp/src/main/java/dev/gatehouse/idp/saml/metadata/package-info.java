/**
 * The identity provider's own metadata (SAML Metadata 2.4.3), signed.
 */
@NullMarked
package dev.gatehouse.idp.saml.metadata;

import org.jspecify.annotations.NullMarked;
