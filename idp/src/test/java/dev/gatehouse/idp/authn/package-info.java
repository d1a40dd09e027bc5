/** Tests of login contracts, levels and second factors. */
@NullMarked
package dev.gatehouse.idp.authn;

import org.jspecify.annotations.NullMarked;
