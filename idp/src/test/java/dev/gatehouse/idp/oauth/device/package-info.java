/** Tests of device authorization's parts. */
@NullMarked
package dev.gatehouse.idp.oauth.device;

import org.jspecify.annotations.NullMarked;
