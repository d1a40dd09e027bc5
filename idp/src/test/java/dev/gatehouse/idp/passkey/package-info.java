/** Tests of passkeys, with an authenticator made of a key pair. */
@NullMarked
package dev.gatehouse.idp.passkey;

import org.jspecify.annotations.NullMarked;
