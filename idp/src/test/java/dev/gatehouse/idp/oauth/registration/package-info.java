/** Tests of the metadata that clients register. */
@NullMarked
package dev.gatehouse.idp.oauth.registration;

import org.jspecify.annotations.NullMarked;
