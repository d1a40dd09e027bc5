/**
 * Imports of partners from SAML metadata and of providers from their discovery document, with a preview that changes nothing; tests of
 * partners that are configured; and their certificates.
 */
@NullMarked
package dev.gatehouse.gateway.admin.partner;

import org.jspecify.annotations.NullMarked;
