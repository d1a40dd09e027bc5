/**
 * The choice of a request's route: hosts, unambiguous paths (RFC 3986, section 6.2.2), trusted proxies, and the table
 * that is compiled from all realms and replaced as a whole. Has no network access.
 */
@NullMarked
package dev.gatehouse.gateway.route;

import org.jspecify.annotations.NullMarked;
