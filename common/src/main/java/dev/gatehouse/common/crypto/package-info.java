/**
 * Keys and cryptographic primitives without any knowledge of realms: kinds of keys, PEM, AES-GCM, pools of instances, and the
 * choice of the crypto provider. The only package that names the Amazon Corretto Crypto Provider.
 */
@NullMarked
package dev.gatehouse.common.crypto;

import org.jspecify.annotations.NullMarked;
