/** JMH benchmarks: the throughput of one core for SAML messages, beside the bare signature, which is the limit. */
@NullMarked
package dev.gatehouse.perf.jmh;

import org.jspecify.annotations.NullMarked;
