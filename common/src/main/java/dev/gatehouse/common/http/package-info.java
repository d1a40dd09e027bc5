/**
 * HTTP messages as values: what every protocol endpoint takes and returns, so that none has a web framework in its
 * signature. Edges (Spring Web in idp, Netty in gateway) convert to and from these. RFC 9110, RFC 6265bis, RFC 3986.
 */
@NullMarked
package dev.gatehouse.common.http;

import org.jspecify.annotations.NullMarked;
