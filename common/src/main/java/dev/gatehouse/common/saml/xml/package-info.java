/**
 * XML as SAML needs it: {@code HardenedParser} builds a {@code BoundedTree}, {@code Grammar} checks its structure, and {@code
 * CanonicalXml} writes text that is its own exclusive canonical form (Exclusive XML Canonicalization 1.0).
 */
@NullMarked
package dev.gatehouse.common.saml.xml;

import org.jspecify.annotations.NullMarked;
