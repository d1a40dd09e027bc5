/**
 * SAML 2.0 (Core, Bindings, Metadata) messages as records, and their reading, writing, signing and verification. The
 * only home of OpenSAML, xmlsec and DOM.
 */
@NullMarked
package dev.gatehouse.common.saml;

import org.jspecify.annotations.NullMarked;
