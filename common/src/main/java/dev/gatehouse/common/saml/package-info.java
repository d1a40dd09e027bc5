/**
 * The common part of the SAML packages: names of attributes and bindings, identifiers, and the result of reading. XML, signatures,
 * encryption, messages and metadata have a package each below this one, and only these packages use OpenSAML, xmlsec, SAX and DOM.
 */
@NullMarked
package dev.gatehouse.common.saml;

import org.jspecify.annotations.NullMarked;
