/** Authentication of requests by passwords, access tokens and certificates, and the challenges for these. */
@NullMarked
package dev.gatehouse.gateway.authn;

import org.jspecify.annotations.NullMarked;
