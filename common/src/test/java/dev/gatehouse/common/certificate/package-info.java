/** Tests of login by certificate, without a network. */
@NullMarked
package dev.gatehouse.common.certificate;

import org.jspecify.annotations.NullMarked;
