/**
 * RADIUS for programs of this host, such as PAM's module: on loopback only, which is why packets without Message-Authenticator are taken
 * here and nowhere else.
 */
@NullMarked
package dev.gatehouse.idp.agent.radius;

import org.jspecify.annotations.NullMarked;
