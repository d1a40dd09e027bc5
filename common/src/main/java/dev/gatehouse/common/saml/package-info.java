/**
 * SAML 2.0 messages and metadata as records (Core 2, 3 and 5.4; Bindings 3.2, 3.4 to 3.6; Metadata 2 and 3; Login
 * and Discovery UI 2.1.2), and their reading, writing, signing and verification. The only home of OpenSAML, xmlsec, SAX
 * and DOM.
 *
 * <p>Messages are read in one way: {@code SentMessage}, {@code SoapEnvelope} and {@code Transport} undo the binding,
 * {@code HardenedParser} builds a {@code BoundedTree}, {@code Grammar} checks its structure, {@code EnvelopedSignature}
 * verifies, and {@code ProtocolElements} and {@code AssertionElements} make records. Metadata goes from {@code HardenedParser} and {@code
 * EnvelopedSignature} to {@code OpenSaml}, and {@code MetadataObjects} makes records of what that made. Writing goes
 * the other: {@code MessageElements} and {@code DescriptorElements} write {@code CanonicalXml}, which {@code
 * EnvelopedSigner} signs.
 */
@NullMarked
package dev.gatehouse.common.saml;

import org.jspecify.annotations.NullMarked;
