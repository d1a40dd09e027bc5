/**
 * HTTP messages as values. Protocol endpoints take and return these types, so that no web framework appears in their
 * signatures. Edges (Spring Web in idp, Netty in gateway) convert to and from them. RFC 9110, RFC 6265bis, RFC 3986.
 */
@NullMarked
package dev.gatehouse.common.http;

import org.jspecify.annotations.NullMarked;
