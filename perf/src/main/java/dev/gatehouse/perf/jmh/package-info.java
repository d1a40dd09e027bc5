/**
 * JMH: what one core does with a SAML message, beside the bare signature that bounds it.
 */
@NullMarked
package dev.gatehouse.perf.jmh;

import org.jspecify.annotations.NullMarked;
