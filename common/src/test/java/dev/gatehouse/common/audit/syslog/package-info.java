/** Tests of sending events by syslog, against a TLS server. */
@NullMarked
package dev.gatehouse.common.audit.syslog;

import org.jspecify.annotations.NullMarked;
