/** Reads and writes what realms of one-time passwords say of themselves, and the configuration of those that are trusted. */
@NullMarked
package dev.gatehouse.common.realm.otp;

import org.jspecify.annotations.NullMarked;
