/**
 * The identity provider. Depends on common and sp; its edge is Spring Web on Jetty with virtual threads.
 */
@NullMarked
package dev.gatehouse.idp;

import org.jspecify.annotations.NullMarked;
