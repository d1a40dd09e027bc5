/** Sends the events of the audit log to syslog receivers: RFC 5424 over TLS (RFC 5425). */
@NullMarked
package dev.gatehouse.common.audit.syslog;

import org.jspecify.annotations.NullMarked;
