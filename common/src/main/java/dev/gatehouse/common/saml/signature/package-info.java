/**
 * The one form of XML Signature that SAML allows (SAML Core 5.4): {@code EnvelopedSignature} verifies it, {@code EnvelopedSigner}
 * creates it.
 */
@NullMarked
package dev.gatehouse.common.saml.signature;

import org.jspecify.annotations.NullMarked;
