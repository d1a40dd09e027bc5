/**
 * The identity provider's edge: Spring Web on Jetty with virtual threads. Converts HTTP to EdgeRequest, finds the realm
 * and the route, limits bodies, and catches faults in one place (RFC 9110, sections 7.2, 7.4, 15.5). Apart from the
 * assembly, this is the only package of idp that may use servlets, Spring and Jetty.
 */
@NullMarked
package dev.gatehouse.idp.edge;

import org.jspecify.annotations.NullMarked;
