/**
 * SAML 2.0 messages as records (SAML Core 2 and 3; Bindings 3.2 and 3.4 to 3.6), with their reading and writing.
 *
 * <p>Messages are read in one way: {@code SentMessage}, {@code SoapEnvelope} and {@code Transport} undo the binding, the parser and
 * {@code SamlGrammars} check the structure, the signature is verified, {@code MessageDecryption} passes decrypted content through
 * the same parser and grammar, and {@code ProtocolElements} and {@code AssertionElements} make records. Writing goes the other way:
 * {@code MessageElements} writes canonical XML, which is signed and encrypted.
 */
@NullMarked
package dev.gatehouse.common.saml.message;

import org.jspecify.annotations.NullMarked;
