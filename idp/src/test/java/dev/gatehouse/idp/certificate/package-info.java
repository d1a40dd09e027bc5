/** Tests of login by certificate, without a network. */
@NullMarked
package dev.gatehouse.idp.certificate;

import org.jspecify.annotations.NullMarked;
