/**
 * The service provider's metadata (SAML Metadata 2.4.4). Uses common only.
 */
@NullMarked
package dev.gatehouse.sp.metadata;

import org.jspecify.annotations.NullMarked;
