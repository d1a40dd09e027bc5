/** Reads what the FIDO Alliance publishes of authenticators, as files of the configuration. */
@NullMarked
package dev.gatehouse.common.realm.fido;

import org.jspecify.annotations.NullMarked;
