/**
 * The audit log, for events that must be provable later: AuditEvent, AuditLog and its form in lines of JSON (RFC 8259), and its
 * archive in members of gzip (RFC 1952). An operation that cannot be audited is refused.
 */
@NullMarked
package dev.gatehouse.common.audit;

import org.jspecify.annotations.NullMarked;
