/**
 * SAML 2.0 messages and metadata as records (Core 2, 3, 5.4 and 6; Bindings 3.2, 3.4 to 3.6; Metadata 2 and 3; Login and Discovery
 * UI 2.1.2; XML Encryption 1.1, 3, 5.2.4 and 5.5), with their reading, writing, signing, verification, encryption and decryption.
 * The only package that uses OpenSAML, xmlsec, SAX and DOM.
 *
 * <p>Messages are read in one way: {@code SentMessage}, {@code SoapEnvelope} and {@code Transport} undo the binding, {@code
 * HardenedParser} builds a {@code BoundedTree}, {@code Grammar} checks its structure, {@code EnvelopedSignature} verifies, {@code
 * MessageDecryption} passes the plain text of {@code EncryptedElement} through the same parser and grammar, and {@code
 * ProtocolElements} and {@code AssertionElements} make records. Metadata go from {@code HardenedParser} and {@code
 * EnvelopedSignature} to {@code OpenSaml}; {@code MetadataObjects}, {@code DescriptorKeys} and {@code UiElements} make records of
 * its objects. Writing goes the other way: {@code MessageElements} and {@code DescriptorElements} write {@code CanonicalXml}, which
 * {@code EnvelopedSigner} signs and {@code ElementEncrypter} encrypts.
 */
@NullMarked
package dev.gatehouse.common.saml;

import org.jspecify.annotations.NullMarked;
