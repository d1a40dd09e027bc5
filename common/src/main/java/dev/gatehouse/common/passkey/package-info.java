/** Keeps the passkeys of people (WebAuthn Level 3). Uses {@code common.db}, {@code common.db.group} and {@code common.directory} only. */
@NullMarked
package dev.gatehouse.common.passkey;

import org.jspecify.annotations.NullMarked;
